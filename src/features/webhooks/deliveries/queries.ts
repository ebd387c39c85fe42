import type { Row, Sql } from '../../../db/db.ts'
import { listStatements } from '../../../db/lists/page.ts'
import { column, defineRecord } from '../../../db/records.ts'
import type { DeliveriesFilter, Delivery } from '../contract/deliveries.ts'
import { deliveryStatuses } from '../delivery-status.ts'

export const deliveries = defineRecord<Delivery>('webhook_deliveries', {
  id: column.id,
  webhookId: column.id,
  eventId: column.id,
  eventType: column.text,
  status: column.oneOf(deliveryStatuses),
  createdAt: column.instant,
  nextAttemptAt: column.named('due_at', column.optional(column.instant)),
  attempts: column.list((attempt) => attempt instanceof Object),
})

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

/** Makes a delivery due, at another instant than before: an attempt in progress, whose result comes later, is not the one asked for. */
export async function updateDue(sql: Sql, id: bigint, now: number): Promise<Delivery> {
  const [row] = await sql.all(
    `update webhook_deliveries set status = 'pending', due_at = case when due_at <= ?2 then due_at - 1 else ?2 end
    where id = ?1 returning ${deliveries.columns}`,
    [id, now],
  )
  return deliveries.itemOf(row as Row)
}
