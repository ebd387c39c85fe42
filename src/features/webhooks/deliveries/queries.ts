import type { Sql } from '../../../db/db.ts'
import { listStatements } from '../../../db/lists/page.ts'
import { defineTable } from '../../../db/records/records.ts'
import { columnsOf } from '../../../db/records/rows.ts'
import { type DeliveriesFilter, Delivery } from '../contract/deliveries.ts'

export const deliveries = defineTable('webhook_deliveries', Delivery)

export const deliveriesList = listStatements<DeliveriesFilter & { webhookId: bigint }, Delivery>(
  'webhookDeliveries',
  {
    ...deliveries,
    conditionsOf: ({ webhookId, status, eventId }) => [
      { column: 'webhook_id', equals: webhookId },
      ...(eventId === undefined ? [] : [{ column: 'event_id', anyOf: [eventId] }]),
      ...(status === undefined ? [] : [{ column: 'status', equals: status }]),
    ],
  },
)

type NewDelivery = { webhookId: bigint; eventId: bigint; eventType: string }

/** Makes events due for webhooks. The lease of a delivery that exists ends: an attempt in progress is not the one asked for. */
export async function insertDeliveries(
  sql: Sql,
  rows: readonly NewDelivery[],
  now: number,
): Promise<void> {
  if (rows.length === 0) return
  const { from, parameters } = sql.rows(
    [
      ...columnsOf('bigint', 'webhook_id', 'event_id', 'due_at'),
      ...columnsOf('text', 'event_type'),
    ],
    rows.map(({ webhookId, eventId, eventType }) => [webhookId, eventId, now, eventType]),
  )
  await sql.all(
    `insert into webhook_deliveries (webhook_id, event_id, event_type, status, created_at, due_at, attempts)
    select webhook_id, event_id, event_type, 'pending', due_at, due_at, '[]' from ${from} where true
    on conflict (webhook_id, event_id)
    do update set status = 'pending', due_at = excluded.due_at, leased_until = null`,
    parameters,
  )
}
