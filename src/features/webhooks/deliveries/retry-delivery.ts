import { oneByOne } from '../../../db/db.ts'
import { lockById } from '../../../db/lists/by-id.ts'
import { findOutbox } from '../../events/outbox/outbox.ts'
import { refusal } from '../../refuse.ts'
import type { Delivery } from '../contract/deliveries.ts'
import { webhookWrites } from '../queries.ts'
import { requireEnabled } from '../test-webhook.ts'
import { deliveries, insertDeliveries } from './queries.ts'

type Retried = { webhookId: bigint; id: bigint; now: number }

/** Makes a delivery due, whatever its state. Throws `not_found`, `webhook_not_enabled`, `events_expired`. */
export const retryDelivery = oneByOne<Retried, Delivery>({
  name: 'retryDelivery',
  rowOf: ({ webhookId }) => webhookId,
  async run(tx, { webhookId, id, now }) {
    const webhook = await webhookWrites.lock(tx, { id: webhookId })
    const delivery = await lockById(tx, deliveries, id)
    if (delivery?.webhookId !== webhookId)
      throw refusal('not_found', `Webhook ${webhookId} has no delivery with the id ${id}.`)
    const outbox = await findOutbox(tx)
    if (outbox && delivery.eventId <= outbox.oldest)
      throw refusal(
        'events_expired',
        `Event ${delivery.eventId} is deleted. GET /events shows which are left.`,
      )
    requireEnabled(webhook)
    await insertDeliveries(tx, [delivery], now)
    return (await lockById(tx, deliveries, id)) as Delivery
  },
})
