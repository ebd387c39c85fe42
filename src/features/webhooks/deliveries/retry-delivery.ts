import type { Context } from '../../../context/context.ts'
import { oneByOne } from '../../../db/db.ts'
import { refusal } from '../../refuse.ts'
import type { Delivery } from '../contract/deliveries.ts'
import { lockWebhook } from '../queries.ts'
import { requireEnabled } from '../test-webhook.ts'
import { findDeliveryRow, updateDue } from './queries.ts'

/** Makes a delivery due, whatever its state. Throws `not_found`, `webhook_not_enabled`, `events_expired`. */
export function retryDelivery(
  { db, clock }: Context,
  { webhookId, id }: { webhookId: bigint; id: bigint },
): Promise<Delivery> {
  return db.write(makeDue, { webhookId, id, now: clock() })
}

export const makeDue = oneByOne<{ webhookId: bigint; id: bigint; now: number }, Delivery>({
  name: 'retryDelivery',
  rowOf: ({ webhookId }) => webhookId,
  async run(tx, { webhookId, id, now }) {
    const webhook = await lockWebhook(tx, webhookId)
    const delivery = await findDeliveryRow(tx, { webhookId, id })
    if (!delivery)
      throw refusal('not_found', `Webhook ${webhookId} has no delivery with the id ${id}.`)
    if (delivery.status === 'lost')
      throw refusal(
        'events_expired',
        `Event ${delivery.eventId} was deleted before it was delivered. GET /events shows which are left.`,
      )
    requireEnabled(webhook)
    return updateDue(tx, id, now)
  },
})
