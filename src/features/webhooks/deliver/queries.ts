import { stringifyJson } from '../../../contract/int64-json.ts'
import { readSound } from '../../../db/damaged-row.ts'
import { oneByOne, type Query, type Sql } from '../../../db/db.ts'
import { lockById } from '../../../db/lists/by-id.ts'
import { columnsOf, queryOnce } from '../../../db/rows.ts'
import type { Delivery, DeliveryAttempt } from '../contract/deliveries.ts'
import { deliveries } from '../deliveries/queries.ts'
import { updateWebhookRow, webhooks } from '../queries.ts'
import type { Result } from './result-of.ts'

/** The succeeded deliveries of a webhook that are kept. */
const succeededMax = 100
/** A webhook that fails for so long without a success is disabled. */
const failingMaxMs = 5 * 86_400_000
/** The most deliveries that one transaction deletes for their age, or with their webhook. */
const prunedMax = 500

/** What a process has read for a webhook, and what came of its attempts. */
type Progress = {
  webhookId: bigint
  fence: bigint
  now: number
  /** The position before the events, and behind them. */
  from: bigint
  to: bigint
  events: readonly NewDelivery[]
  results: readonly Result[]
}

/** An event to send; with `lost`, why none of the events up to it can be sent. */
export type NewDelivery = { id: bigint; type: string; lost?: DeliveryAttempt }

/**
 * Makes events due for a webhook and moves its position behind them, stores the results of attempts, and disables it where
 * it is gone or has failed for too long. Returns false, and stores nothing, where another process holds the webhook, or its
 * position was moved.
 */
export const storeProgress = oneByOne<Progress, boolean>({
  name: 'storeWebhookProgress',
  rowOf: ({ webhookId }) => webhookId,
  async run(tx, input) {
    const { webhookId, fence, now, from, to, results } = input
    const hasSucceeded = results.some(({ status }) => status === 'succeeded')
    const faults = results.flatMap(({ fault }) => fault ?? [])
    // As all that lock both: a webhook before its queue.
    const webhook = faults.length > 0 ? await lockById(tx, webhooks, webhookId) : undefined
    const since = hasSucceeded ? 'null' : 'coalesce(failing_since, ?5)'
    const [queue] = await tx.all<[bigint | null]>(
      `update webhook_queues set position = ?4, failing_since = ${since}
      where webhook_id = ?1 and fence = ?2 and position = ?3 returning failing_since`,
      [webhookId, fence, from, to, ...(hasSucceeded ? [] : [webhook ? now : null])],
    )
    if (!queue) return false
    await insertDeliveries(tx, input)
    await updateDeliveries(tx, results)
    if (hasSucceeded) await deleteSurplus(tx, webhookId)
    const isGone = faults.includes('gone')
    const hasFailedLong = now - Number(queue[0] ?? now) >= failingMaxMs
    if (webhook && webhook.record.status !== 'disabled' && (isGone || hasFailedLong)) {
      const disabledReason = isGone ? 'gone' : 'failing'
      const record = { ...webhook.record, status: 'disabled', disabledReason } as const
      const after = { ...webhook, record }
      await updateWebhookRow(tx, input, 'webhook.disabled', { before: webhook, after })
    }
    return true
  },
})

async function insertDeliveries(sql: Sql, { webhookId, now, events }: Progress) {
  if (events.length === 0) return
  const { from, parameters } = sql.rows(
    [
      ...columnsOf('bigint', 'webhook_id', 'event_id', 'created_at', 'due_at'),
      ...columnsOf('text', 'event_type', 'status', 'attempts'),
    ],
    events.map(({ id, type, lost }) =>
      lost
        ? [webhookId, id, now, null, type, 'lost', stringifyJson([lost])]
        : [webhookId, id, now, now, type, 'pending', '[]'],
    ),
  )
  // Rows that exist are those of a replay.
  await sql.all(
    `insert into webhook_deliveries (webhook_id, event_id, event_type, status, created_at, due_at, attempts)
    select webhook_id, event_id, event_type, status, created_at, due_at, attempts from ${from} where true
    on conflict (webhook_id, event_id) do update set status = 'pending', due_at = excluded.due_at
    where excluded.due_at is not null`,
    parameters,
  )
}

async function updateDeliveries(sql: Sql, results: readonly Result[]) {
  if (results.length === 0) return
  const { from, parameters } = sql.rows(
    [
      ...columnsOf('bigint', 'id', 'was_due_at', 'due_at'),
      ...columnsOf('text', 'status', 'attempts'),
    ],
    results.map(({ id, wasDueAt, dueAt, status, attempts }) => [
      ...[id, wasDueAt, dueAt ?? null, status, stringifyJson(attempts)],
    ]),
  )
  const isAsBefore = 'webhook_deliveries.due_at = was_due_at'
  await sql.all(
    `update webhook_deliveries set attempts = input.attempts,
    status = case when ${isAsBefore} then input.status else webhook_deliveries.status end,
    due_at = case when ${isAsBefore} then input.due_at else webhook_deliveries.due_at end
    from ${from} where webhook_deliveries.id = input.id`,
    parameters,
  )
}

/** Deletes succeeded deliveries but the newest. */
async function deleteSurplus(sql: Sql, webhookId: bigint) {
  const ofWebhook = "webhook_id = ?1 and status = 'succeeded'"
  await sql.all(
    `delete from webhook_deliveries where ${ofWebhook} and id <= (
      select id from webhook_deliveries where ${ofWebhook} order by id desc limit 1 offset ${succeededMax}
    )`,
    [webhookId],
  )
}

type DueInput = { webhookId: bigint; now: number; limit: number }

/** The deliveries that are due, the oldest first. A damaged one does not stop the others. */
export const selectDue: Query<DueInput, readonly Delivery[]> = {
  key: ({ webhookId, now, limit }) => `${webhookId} ${now} ${limit}`,
  async run(sql, inputs) {
    const found: Delivery[][] = []
    for (const { webhookId, now, limit } of inputs) {
      const rows = await sql.all(
        `select ${deliveries.columns} from webhook_deliveries
        where webhook_id = ?1 and due_at is not null and due_at <= ?2 order by due_at limit ?3 + 0`,
        [webhookId, now, limit],
      )
      found.push(readSound(rows, deliveries.itemOf))
    }
    return found
  },
}

/** When the delivery that waits longest for its attempt became due, or will; undefined where none waits. */
export const selectOldestDue = queryOnce(async (sql) => {
  const [row] = await sql.all<[bigint | null]>(
    `select min(
      (select min(due_at) from webhook_deliveries where webhook_id = webhooks.id and due_at is not null)
    ) from webhooks where status = 'enabled' and exists (select 1 from webhooks_resumed)`,
  )
  const dueAt = row?.[0] ?? undefined
  return dueAt === undefined ? undefined : Number(dueAt)
})

/** Deletes the next deliveries that are too old, or whose webhook is deleted; returns whether more may be left. */
export const pruneDeliveries = oneByOne<number, boolean>({
  name: 'pruneWebhookDeliveries',
  async run(sql, createdUntil) {
    const doomed = await selectPrunable(sql, createdUntil)
    if (doomed.length > 0)
      await sql.all(`delete from webhook_deliveries where ${sql.isAnyOf('id', '?1')}`, [
        sql.set(doomed),
      ])
    return doomed.length === prunedMax
  },
})

/** Ids ascend with the time of creation. The webhooks of deliveries are found in steps of one per webhook. */
async function selectPrunable(sql: Sql, createdUntil: number): Promise<bigint[]> {
  const old = await sql.all<[bigint]>(
    `select id from (select id, created_at from webhook_deliveries order by id limit ${prunedMax}) as oldest
    where created_at <= ?1`,
    [createdUntil],
  )
  const first = 'select min(webhook_id) as id from webhook_deliveries'
  const orphans = await sql.all<[bigint]>(
    `with recursive owners as (
      ${first} union all select (${first} where webhook_id > owners.id) from owners where id is not null
    )
    select id from webhook_deliveries where webhook_id = (
      select min(id) from owners where not exists (select 1 from webhooks where webhooks.id = owners.id)
    ) order by event_id limit ${prunedMax - old.length}`,
  )
  return [...old, ...orphans].map(([id]) => id)
}
