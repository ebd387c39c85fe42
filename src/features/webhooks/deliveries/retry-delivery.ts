import type { Context } from '../../../context/context.ts'
import { lockById } from '../../../db/lists/by-id.ts'
import { findOutbox } from '../../events/outbox/outbox.ts'
import { refusal } from '../../refuse.ts'
import type { Delivery } from '../contract/deliveries.ts'
import { webhookWrite } from '../queries.ts'
import { requireEnabled } from '../test-webhook.ts'
import { deliveries, insertDeliveries } from './queries.ts'

/** Makes a delivery due, whatever its state. Throws `not_found`, `webhook_not_enabled`, `events_expired`. */
export function retryDelivery(
  { db, clock }: Context,
  { webhookId, id }: { webhookId: bigint; id: bigint },
): Promise<Delivery> {
  return db.write(makeDue, { id: webhookId, deliveryId: id, now: clock() })
}

type Retried = { id: bigint; deliveryId: bigint; now: number }

export const makeDue = webhookWrite(
  'retryDelivery',
  async (tx, webhook, { id, deliveryId, now }: Retried) => {
    const delivery = await lockById(tx, deliveries, deliveryId)
    if (delivery?.webhookId !== id)
      throw refusal('not_found', `Webhook ${id} has no delivery with the id ${deliveryId}.`)
    const outbox = await findOutbox(tx)
    if (outbox && delivery.eventId <= outbox.oldest)
      throw refusal(
        'events_expired',
        `Event ${delivery.eventId} is deleted. GET /events shows which are left.`,
      )
    requireEnabled(webhook)
    await insertDeliveries(tx, [delivery], now)
    return (await lockById(tx, deliveries, deliveryId)) as Delivery
  },
)
