import type { LogPositions } from '../../../context/context.ts'
import type { Sql } from '../../../db/db.ts'
import { hasUnsent, type OutboxEvent, selectOutbox, selectRange, updateOutbox } from './queries.ts'

/** `fannedOutTo`: events up to it have become deliveries, and later ones are not deleted; undefined while nobody takes events. */
type Outbox = LogPositions & { fannedOutTo: bigint | undefined }

/** The outbox; undefined where another transaction holds it and `lock` is the suffix that leaves such rows out. */
export async function findOutbox(sql: Sql, lock = ''): Promise<Outbox | undefined> {
  const row = await selectOutbox(sql, lock)
  if (!row) return undefined
  const [oldest, fannedOutTo] = row
  // Read behind the lock: nothing up to it was deleted since.
  const { settled } = await sql.settledIds('events')
  const newest = settled > oldest ? settled : oldest
  return { oldest, newest, fannedOutTo: fannedOutTo ?? undefined }
}

/** Events become deliveries from now on. Returns the newest event; where others take events already, some before it may come. */
export async function startOutbox(sql: Sql): Promise<bigint> {
  const outbox = await findOutbox(sql, sql.forUpdate)
  if (!outbox) throw new Error('The table events_feed has no row.')
  if (outbox.fannedOutTo === undefined) await updateOutbox(sql, outbox.newest)
  return outbox.newest
}

/** The events up to this one have become deliveries; undefined, none become deliveries any more. */
export async function moveOutbox(sql: Sql, fannedOutTo: bigint | undefined): Promise<void> {
  await updateOutbox(sql, fannedOutTo ?? null)
}

/** Whether events wait to become deliveries. */
export async function isOutboxDue(sql: Sql): Promise<boolean> {
  return hasUnsent(sql)
}

/** The next events behind a position up to another, and the position behind them. */
export async function nextEvents(
  sql: Sql,
  range: { after: bigint; until: bigint; limit: number },
): Promise<{ events: OutboxEvent[]; position: bigint }> {
  const events = await selectRange(sql, range)
  const last = events.at(-1)?.id
  return { events, position: last && events.length === range.limit ? last : range.until }
}
