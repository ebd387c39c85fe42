import { oneByOne, type Query, type Sql } from '../../../db/db.ts'
import type { LogLimits } from '../../../db/storage.ts'

/** The most events that one transaction deletes, and that one counts. */
const prunedMax = 500
const countedMax = 5_000

type PruneInput = { nowMs: number; limits: LogLimits }

type Feed = { prunedTo: bigint; countedTo: bigint; counted: bigint }

/** What is to be done next: which events to count, and which to delete. */
type Plan = Feed & {
  added: bigint
  /** Deleted are the events up to this one, so many. */
  cut: { id: bigint; count: number } | undefined
  hasMore: boolean
}

export const selectIsDue: Query<PruneInput, boolean> = {
  key: ({ nowMs }) => String(nowMs),
  async run(sql, inputs) {
    const due: boolean[] = []
    for (const input of inputs) {
      const { cut, hasMore } = await planStep(sql, input, { deletedMax: 1, lock: '' })
      due.push(cut !== undefined || hasMore)
    }
    return due
  },
}

/** Counts and deletes the next events; returns whether more may be left. */
export const pruneNext = oneByOne<PruneInput, boolean>({
  name: 'pruneEvents',
  async run(sql, input) {
    const step = { deletedMax: prunedMax, lock: sql.forUpdate }
    const { prunedTo, countedTo, counted, added, cut, hasMore } = await planStep(sql, input, step)
    const { id, count } = cut ?? { id: prunedTo, count: 0 }
    if (cut) await sql.all('delete from events where id > ?1 and id <= ?2', [prunedTo, id])
    await sql.all('update events_feed set pruned_to = ?1, counted_to = ?2, counted = ?3', [
      ...[id, countedTo, counted + added - BigInt(count)],
    ])
    return hasMore
  },
})

async function planStep(
  sql: Sql,
  { nowMs, limits: { ageMaxMs, max } }: PruneInput,
  { deletedMax, lock }: { deletedMax: number; lock: string },
): Promise<Plan> {
  const [row = []] = await sql.all<[bigint, bigint, bigint, bigint | null]>(
    `select pruned_to, counted_to, counted, fanned_out_to from events_feed${lock}`,
  )
  const [prunedTo = 0n, countedTo = 0n, counted = 0n, fannedOutTo = null] = row
  const { settled } = await sql.settledIds('events')
  const end = fannedOutTo !== null && fannedOutTo < settled ? fannedOutTo : settled
  const [tail] = await sql.all<[bigint, bigint | null]>(
    `select count(*), max(id) from (select id from events where id > ?1 and id <= ?2
    order by id limit ${countedMax}) as uncounted`,
    [countedTo, settled],
  )
  const [added, last] = tail ?? [0n, null]
  // One more than are deleted: the last event stays, whatever its age. Its id is where the feed goes on.
  const oldest = await sql.all<[bigint, bigint]>(
    `select id, created_at from events where id > ?1 and id <= ?2 order by id limit ${deletedMax + 1}`,
    [prunedTo, end],
  )
  const surplus = counted + added - BigInt(max)
  const dueUntil = BigInt(nowMs - ageMaxMs)
  const isDue = ([, createdAt]: [bigint, bigint], index: number) =>
    BigInt(index) < surplus || createdAt <= dueUntil
  const deletable = oldest.slice(0, -1)
  const kept = deletable.findIndex((event, index) => !isDue(event, index))
  const cut = kept === -1 ? deletable : deletable.slice(0, kept)
  return {
    prunedTo,
    countedTo: last ?? countedTo,
    counted,
    added,
    cut: cut.length === 0 ? undefined : { id: cut.at(-1)?.[0] as bigint, count: cut.length },
    hasMore: cut.length === deletedMax || added === BigInt(countedMax),
  }
}
