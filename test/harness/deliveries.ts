import type { Context } from '../../src/context/context.ts'
import { queryOnce } from '../../src/db/records/rows.ts'

export type StoredDelivery = {
  webhookId: bigint
  eventId: bigint
  eventType?: string
  status?: 'pending' | 'succeeded' | 'failed'
  attempts?: readonly object[]
}

/** Stores a delivery as if the service had tried it. */
export async function addDelivery(
  { db, clock }: Context,
  {
    webhookId,
    eventId,
    eventType = 'order.placed',
    status = 'succeeded',
    attempts = [],
  }: StoredDelivery,
): Promise<void> {
  const now = clock()
  const dueAt = status === 'pending' ? now + 5_000 : null
  const row = [webhookId, eventId, eventType, status, now, dueAt, JSON.stringify(attempts)]
  const insert = queryOnce(async (sql) => {
    await sql.all(
      `insert into webhook_deliveries (webhook_id, event_id, event_type, status, created_at, due_at, attempts)
      values (?1, ?2, ?3, ?4, ?5, ?6, ?7)`,
      row,
    )
  })
  await db.read(insert, undefined)
}
