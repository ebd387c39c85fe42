import type { Context } from '../../context/context.ts'
import { webhookWrite } from './change-webhook.ts'
import { checkWebhookFields } from './check-webhook-fields.ts'
import type { Webhook, WebhookChange } from './contract/webhooks.ts'
import { getWebhook } from './get-webhook.ts'
import { clearFailures, shownWebhook } from './queries.ts'
import { requireAuthority } from './require-authority.ts'

/** Changes the given fields of a webhook. Throws `invalid_body`, `not_found`, `insufficient_scope`. */
export async function updateWebhook(
  context: Context,
  { id, body }: { id: bigint; body: WebhookChange },
): Promise<Webhook> {
  if (body.url !== undefined) requireAuthority(context, await getWebhook(context, id))
  await checkWebhookFields(context, body)
  const changed = await context.db.write(changeWebhook, { id, body })
  return shownWebhook(context, changed)
}

export const changeWebhook = webhookWrite<{ body: WebhookChange }>(
  'webhook.updated',
  async (webhook, { body }, tx) => {
    const { url = webhook.url, status = webhook.status } = body
    const { types = webhook.types, description = webhook.description } = body
    // Otherwise five days of failures would disable it again at once.
    const isRenewed = url !== webhook.url || (status === 'enabled' && webhook.status !== status)
    if (isRenewed) await clearFailures(tx, webhook.id)
    return {
      ...webhook,
      ...{ url, status },
      types: types ?? undefined,
      description: description ?? undefined,
      disabledReason: status === 'disabled' ? webhook.disabledReason : undefined,
      failingSince: isRenewed ? undefined : webhook.failingSince,
    }
  },
)
