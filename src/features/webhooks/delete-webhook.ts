import type { Context } from '../../context/context.ts'
import { deleteWebhookRow, eventOf, webhookWrite } from './queries.ts'

/** Deletes a webhook: nothing more is sent to it. Throws `not_found`. */
export function deleteWebhook({ db }: Context, id: bigint): Promise<null> {
  return db.write(removeWebhook, { id })
}

/** Its deliveries, which may be many, are deleted later. */
export const removeWebhook = webhookWrite('deleteWebhook', async (tx, { record }, input) => {
  const { id } = input
  await deleteWebhookRow(tx, id)
  tx.record(input, { type: 'webhook.deleted', record: 'webhook', id, data: eventOf(record) })
  return null
})
