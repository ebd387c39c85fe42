import { stringifyJson } from '../../../contract/int64-json.ts'
import { readSound } from '../../../db/damaged-row.ts'
import { oneByOne, type Query, type Sql } from '../../../db/db.ts'
import { columnsOf, queryOnce } from '../../../db/rows.ts'
import type { Delivery, DeliveryAttempt } from '../contract/deliveries.ts'
import { columns, deliveryOf } from '../deliveries/queries.ts'
import { findWebhookRow, updateWebhookRow } from '../queries.ts'
import { failingMaxMs } from './schedule.ts'

/** The succeeded deliveries of a webhook that are kept. */
const succeededMax = 100

type NewDeliveries = {
  webhookId: bigint
  fence: bigint
  /** The position before these events, and behind them. */
  from: bigint
  to: bigint
  now: number
  events: readonly NewDelivery[]
}

/** An event to send; with `lost`, why none of the events up to it can be sent. */
export type NewDelivery = { id: bigint; type: string; lost?: DeliveryAttempt }

/**
 * Makes events due for a webhook, and moves its position behind them. Returns false, and stores nothing, where another
 * process holds the webhook, or its position was moved.
 */
export const insertDeliveries = oneByOne<NewDeliveries, boolean>({
  name: 'insertWebhookDeliveries',
  rowOf: ({ webhookId }) => webhookId,
  async run(sql, { webhookId, fence, from: before, to, now, events }) {
    const moved = await sql.all(
      `update webhook_queues set position = ?4 where webhook_id = ?1 and fence = ?2 and position = ?3
      returning webhook_id`,
      [webhookId, fence, before, to],
    )
    if (moved.length === 0) return false
    if (events.length === 0) return true
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
    return true
  },
})

type DueInput = { webhookId: bigint; now: number; limit: number }

/** The deliveries that are due, the oldest first. A damaged one does not stop the others. */
export const selectDue: Query<DueInput, readonly Delivery[]> = {
  key: ({ webhookId, now, limit }) => `${webhookId} ${now} ${limit}`,
  async run(sql, inputs) {
    const found: Delivery[][] = []
    for (const { webhookId, now, limit } of inputs) {
      const rows = await sql.all(
        `select ${columns} from webhook_deliveries
        where webhook_id = ?1 and due_at is not null and due_at <= ?2 order by due_at limit ?3 + 0`,
        [webhookId, now, limit],
      )
      found.push(readSound(rows, deliveryOf))
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

/** What became of an attempt: the delivery as it is afterwards. */
export type Result = {
  id: bigint
  /** When the attempt was due. A delivery that is due at another instant by now is to be sent again. */
  wasDueAt: number
  status: Delivery['status']
  dueAt: number | undefined
  attempts: readonly DeliveryAttempt[]
  /** Whether the receiver failed; whether it responded that it will never take anything. */
  hasFailed: boolean
  isGone: boolean
}

type Results = {
  webhookId: bigint
  fence: bigint
  now: number
  results: readonly Result[]
  /** Whether the webhook may have to be disabled: it is gone, or has failed for long. */
  mayDisable: boolean
}

/**
 * Stores the results of attempts, and disables a webhook that is gone or has failed for too long. Returns false, and stores
 * nothing, where another process holds the webhook.
 */
export const updateDeliveries = oneByOne<Results, boolean>({
  name: 'updateWebhookDeliveries',
  rowOf: ({ webhookId }) => webhookId,
  async run(tx, input) {
    const { webhookId, fence, now, results, mayDisable } = input
    const hasSucceeded = results.some(({ status }) => status === 'succeeded')
    const hasFailed = results.some((result) => result.hasFailed)
    const isGone = results.some((result) => result.isGone)
    // As all that lock both: a webhook before its queue.
    const webhook = mayDisable ? await findWebhookRow(tx, webhookId) : undefined
    const since = hasSucceeded ? 'null' : 'coalesce(failing_since, ?3)'
    const [queue] = await tx.all<[bigint | null]>(
      `update webhook_queues set failing_since = ${since} where webhook_id = ?1 and fence = ?2
      returning failing_since`,
      [webhookId, fence, ...(hasSucceeded ? [] : [hasFailed ? now : null])],
    )
    if (!queue) return false
    await storeResults(tx, results)
    if (hasSucceeded) await deleteSurplus(tx, webhookId)
    const hasFailedLong = queue[0] !== null && BigInt(now) - queue[0] >= BigInt(failingMaxMs)
    if (webhook && webhook.record.status !== 'disabled' && (isGone || hasFailedLong)) {
      const disabledReason = isGone ? 'gone' : 'failing'
      const record = { ...webhook.record, status: 'disabled', disabledReason } as const
      const after = { ...webhook, record }
      await updateWebhookRow(tx, input, { type: 'webhook.disabled', before: webhook, after })
    }
    return true
  },
})

async function storeResults(sql: Sql, results: readonly Result[]) {
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
