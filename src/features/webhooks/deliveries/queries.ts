import { isId, isJsonList, isText, requireSound } from '../../../db/damaged-row.ts'
import type { Row, Sql } from '../../../db/db.ts'
import { isInstant, isoOf } from '../../../db/instants.ts'
import { listStatements } from '../../../db/lists/page.ts'
import { presentMembers } from '../../../db/rows.ts'
import type { DeliveriesFilter, Delivery } from '../contract/deliveries.ts'

/** The columns of a delivery, which `deliveryOf` reads. */
export const columns = 'id, webhook_id, event_id, event_type, status, created_at, due_at, attempts'

export const deliveriesList = listStatements<DeliveriesFilter & { webhookId: bigint }, Delivery>(
  'webhookDeliveries',
  {
    table: 'webhook_deliveries',
    columns,
    conditionsOf: ({ webhookId, status, eventId }) => [
      { column: 'webhook_id', equals: webhookId },
      ...(eventId === undefined ? [] : [{ column: 'event_id', anyOf: [eventId] }]),
      ...(status === undefined ? [] : [{ column: 'status', equals: status }]),
    ],
    itemOf: deliveryOf,
  },
)

/** A delivery of a webhook as it is under its lock. */
export async function findDeliveryRow(
  sql: Sql,
  { webhookId, id }: { webhookId: bigint; id: bigint },
): Promise<Delivery | undefined> {
  const [row] = await sql.all(
    `select ${columns} from webhook_deliveries where id = ?1 and webhook_id = ?2${sql.forUpdate}`,
    [id, webhookId],
  )
  return row && deliveryOf(row)
}

/** Makes a delivery due, at another instant than before: an attempt in progress, whose result comes later, is not the one asked for. */
export async function updateDue(sql: Sql, id: bigint, now: number): Promise<Delivery> {
  const [row] = await sql.all(
    `update webhook_deliveries set status = 'pending', due_at = case when due_at <= ?2 then due_at - 1 else ?2 end
    where id = ?1 returning ${columns}`,
    [id, now],
  )
  return deliveryOf(row as Row)
}

/** Throws DamagedRow. */
export function deliveryOf(row: Row): Delivery {
  const [id, webhookId, eventId, eventType, status, createdAt, dueAt, attempts] = row as [
    ...[bigint, bigint, bigint, string, Delivery['status'], bigint, bigint | null, string],
  ]
  requireSound('webhook_deliveries', id, {
    id: isId(id),
    webhook_id: isId(webhookId),
    event_id: isId(eventId),
    event_type: isText(eventType),
    created_at: isInstant(createdAt),
    due_at: dueAt === null || isInstant(dueAt),
    attempts: isJsonList(attempts, (attempt) => attempt instanceof Object),
  })
  return presentMembers<Delivery>({
    ...{ id, webhookId, eventId, eventType, status, createdAt: isoOf(createdAt) },
    ...{ nextAttemptAt: isoOf(dueAt), attempts: JSON.parse(attempts) },
  })
}
