import type { Parameter, Query, Scan, Sql } from '../../../db/db.ts'
import { readSound } from '../../../db/records/damaged-row.ts'
import { columnsOf, queryOnce } from '../../../db/records/rows.ts'
import { isOutboxDue } from '../../events/outbox/outbox.ts'
import { deliveries } from '../deliveries/queries.ts'
import type { Result, Taken } from './result-of.ts'

/** For so long only the process that takes a delivery sends it, on the clock of the database. */
const leaseMs = 60_000

/**
 * Whether no process holds a delivery. A lease that ends too late is of before the clock was set back. Where only one process
 * serves the store, leases that were made before it started are of one that has ended.
 */
function isFree({ now, isShared }: Sql, startedMs: number): string {
  const isOver = `leased_until is null or leased_until <= ${now} or leased_until > ${now} + ${leaseMs}`
  return isShared ? `(${isOver})` : `(${isOver} or leased_until < ${startedMs + leaseMs})`
}

type DueInput = { now: number; startedMs: number }

type Due = { webhookId: bigint; isFailing: boolean }

/** The webhooks that have deliveries to send now. */
export const selectDue: Query<DueInput, readonly Due[]> = {
  key: ({ now }) => String(now),
  async run(sql, inputs) {
    const found: Due[][] = []
    for (const { now, startedMs } of inputs) {
      const rows = await sql.all<[bigint, bigint | null]>(
        `select id, failing_since from webhooks where status = 'enabled' and exists (select 1 from webhooks_resumed)
        and exists (select 1 from webhook_deliveries
          where webhook_id = webhooks.id and due_at is not null and due_at <= ?1
          and ${isFree(sql, startedMs)})`,
        [now],
      )
      found.push(rows.map(([id, since]) => ({ webhookId: id, isFailing: since !== null })))
    }
    return found
  },
}

/** Deliveries of one webhook that are taken at once. */
export const takenMax = 200

/** Takes deliveries of a webhook that are due, the oldest first. A damaged one does not stop the others. */
export async function takeDue(
  sql: Sql,
  { webhookId, max }: { webhookId: bigint; max: number },
  { now, startedMs }: DueInput,
): Promise<Taken[]> {
  const rows = await sql.all(
    `with due as materialized (
      select id from webhook_deliveries
      where webhook_id = ?1 and due_at is not null and due_at <= ?2 and ${isFree(sql, startedMs)}
      order by due_at limit ?3 + 0${sql.forUpdateOfFree}
    )
    update webhook_deliveries set leased_until = ${sql.now} + ${leaseMs}
    -- With a limit that is planned for, no table of which most is due is read whole.
    where id in (select id from due limit ${takenMax})
    returning ${deliveries.columns}, leased_until`,
    [webhookId, now, max],
  )
  return readSound(rows, (row) => ({
    ...deliveries.itemOf(row),
    leasedUntil: row.at(-1) as bigint,
  }))
}

/** Stores the results of deliveries that nobody has taken, or made due again, since. */
export async function updateDeliveries(sql: Sql, results: readonly Result[]): Promise<void> {
  if (results.length === 0) return
  const { from, parameters } = sql.rows(
    [...columnsOf('bigint', 'id', 'lease', 'due_at'), ...columnsOf('text', 'status', 'attempts')],
    results.map(({ id, leasedUntil, dueAt, status, attempts }) => [
      ...[id, leasedUntil, dueAt ?? null, status, JSON.stringify(attempts)],
    ]),
  )
  await sql.all(
    `update webhook_deliveries set leased_until = null, due_at = input.due_at, status = input.status,
    attempts = input.attempts
    from ${from} where webhook_deliveries.id = input.id and leased_until = input.lease`,
    parameters,
  )
}

/** Whether events wait to become deliveries. */
export const selectIsBehind = queryOnce(
  async (sql) =>
    (await isOutboxDue(sql)) || (await sql.all('select 1 from webhook_replays limit 1')).length > 0,
)

/** A replay that has not ended. */
export async function findReplay(sql: Sql) {
  const [row] = await sql.all<[bigint, bigint, bigint]>(
    `select webhook_id, position, until from webhook_replays order by webhook_id limit 1${sql.forUpdate}`,
  )
  if (!row) return undefined
  const [webhookId, position, end] = row
  return { webhookId, position, end }
}

export async function moveReplay(
  sql: Sql,
  { webhookId, end }: { webhookId: bigint; end: bigint },
  to: bigint,
): Promise<void> {
  if (to < end)
    await sql.all('update webhook_replays set position = ?2 where webhook_id = ?1', [webhookId, to])
  else await sql.all('delete from webhook_replays where webhook_id = ?1', [webhookId])
}

/** When webhooks began to fail, unless they did before; null, they have succeeded. */
export async function updateFailingSince(
  sql: Sql,
  ids: readonly bigint[],
  at: number | null,
): Promise<void> {
  await sql.all(
    `update webhooks set failing_since = ?2
    where failing_since is ${at === null ? 'not null' : 'null'} and ${sql.isAnyOf('id', '?1')}`,
    [sql.set(ids), at],
  )
}

/** How many deliveries have failed, and how many were deleted before they succeeded. */
export const selectFailures = queryOnce(async (sql) => {
  const [row] = await sql.all(
    `select sum(pruned), sum((
      select count(*) from webhook_deliveries where webhook_id = webhooks.id and status = 'failed'
    )) from webhooks`,
  )
  const [pruned = 0, failed = 0] = row?.map(Number) ?? []
  return { pruned, failed }
})

/** How long the oldest due delivery has been due, and how many were deleted before they succeeded. */
export const selectBacklog = queryOnce(async (sql) => {
  const [row] = await sql.all<[bigint | null, bigint | null]>(
    `select min(case when status = 'enabled' and exists (select 1 from webhooks_resumed) then
      (select min(due_at) from webhook_deliveries where webhook_id = webhooks.id and due_at is not null) end),
    sum(pruned) from webhooks`,
  )
  const [dueAt = null, pruned = null] = row ?? []
  return { dueAt: dueAt === null ? undefined : Number(dueAt), pruned: Number(pruned ?? 0n) }
})

export const selectHasDeliveries = queryOnce(
  async (sql) => (await sql.all('select 1 from webhook_deliveries limit 1')).length > 0,
)

/** What is kept: deliveries of webhooks that there are, made after this instant, and at most so many. */
type Kept = { createdUntil: number; max: number }

/** The most deliveries that are found at once. */
const doomedMax = 5_000

/**
 * Some of the deliveries that are not kept: old ones, those of deleted webhooks, else surplus ones, of these the oldest that
 * succeeded, then failed ones, then the others.
 */
export const selectDoomed: Scan<Kept, bigint[]> = {
  name: 'webhookDeliveriesDoomed',
  async run(sql, { createdUntil, max }) {
    const idsOf = async (from: string, parameter: Parameter) =>
      (await sql.all<[bigint]>(`select id from ${from}`, [parameter])).map(([id]) => id)
    // Ids ascend with the time of creation.
    const oldest = `(select id, created_at from webhook_deliveries order by id limit ${doomedMax}) as oldest`
    const ended = await idsOf(`${oldest} where created_at <= ?1`, createdUntil)
    if (ended.length > 0) return ended
    const owners = await sql.all<[bigint, bigint, bigint | null]>(
      `select webhook_id, count(*), (select id from webhooks where id = webhook_id)
      from webhook_deliveries group by webhook_id`,
    )
    const deleted = owners.flatMap(([owner, , webhook]) => (webhook === null ? owner : []))
    const ofDeleted = `webhook_deliveries where ${sql.isAnyOf('webhook_id', '?1')} limit ${doomedMax}`
    if (deleted.length > 0) return idsOf(ofDeleted, sql.set(deleted))
    const surplus = owners.reduce((sum, [, count]) => sum + Number(count), 0) - max
    const count = Math.min(doomedMax, surplus)
    for (const status of surplus > 0 ? ['succeeded', 'failed', 'pending'] : []) {
      const ids = await idsOf(
        `webhook_deliveries where status = '${status}' order by id limit ?1 + 0`,
        count,
      )
      if (ids.length > 0) return ids
    }
    return []
  },
}

/** Deletes deliveries, and counts those that had not succeeded and were deleted since there were too many. */
export async function deleteDeliveries(
  sql: Sql,
  ids: readonly bigint[],
  createdUntil: number,
): Promise<void> {
  await sql.all(
    `update webhooks set pruned = pruned + (
      select count(*) from webhook_deliveries where webhook_id = webhooks.id
      and status <> 'succeeded' and created_at > ?2 and ${sql.isAnyOf('webhook_deliveries.id', '?1')}
    )`,
    [sql.set(ids), createdUntil],
  )
  await sql.all(`delete from webhook_deliveries where ${sql.isAnyOf('id', '?1')}`, [sql.set(ids)])
}
