import { refusal } from '../refuse.ts'
import { webhookRecord } from './contract/webhooks.ts'
import { type StoredWebhook, webhookWrite } from './queries.ts'

/** Records an event that is sent to this webhook alone. Throws `not_found`, `webhook_not_enabled`. */
export const testWebhook = webhookWrite('testWebhook', async (tx, webhook, input) => {
  const data = webhookRecord.recorded(requireEnabled(webhook))
  tx.record(input, { type: 'webhook.tested', record: 'webhook', id: webhook.id, data })
  return null
})

/** Throws `webhook_not_enabled` where nothing is sent to the webhook. */
export function requireEnabled(webhook: StoredWebhook): StoredWebhook {
  const { id, status, isResumed } = webhook
  if (status !== 'enabled')
    throw refusal(
      'webhook_not_enabled',
      `Webhook ${id} is ${status}: nothing is sent to it. Change its status to enabled first.`,
    )
  if (!isResumed)
    throw refusal(
      'webhook_not_enabled',
      'This store is a copy or was recovered, so its webhooks are paused. On its machine, petstore webhooks resume ends that.',
    )
  return webhook
}
