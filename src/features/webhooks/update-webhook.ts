import type { Context } from '../../context/context.ts'
import { presentMembers } from '../../db/rows.ts'
import { checkWebhookFields } from './check-webhook-fields.ts'
import type { Webhook, WebhookChange } from './contract/webhooks.ts'
import { clearFailures, updateWebhookRow, webhookWrite } from './queries.ts'
import { getWebhook, shownWebhook } from './read-webhooks.ts'
import { requireAuthority } from './require-authority.ts'

/** Changes the given fields of a webhook. Throws `invalid_body`, `not_found`, `insufficient_scope`. */
export async function updateWebhook(
  context: Context,
  { id, body }: { id: bigint; body: WebhookChange },
): Promise<Webhook> {
  if (body.url !== undefined) await requireAuthority(context, await getWebhook(context, id))
  await checkWebhookFields(context, body)
  const changed = await context.db.write(changeWebhook, { id, body })
  return shownWebhook(context, changed)
}

export const changeWebhook = webhookWrite(
  'updateWebhook',
  async (tx, before, input: { id: bigint; body: WebhookChange }) => {
    const changed = { ...before.record, ...input.body }
    const { url, status } = before.record
    // Otherwise five days of failures would disable it again at once.
    const isRenewed = changed.url !== url || (changed.status === 'enabled' && status !== 'enabled')
    if (isRenewed) await clearFailures(tx, input.id)
    const disabledReason = changed.status === 'disabled' ? changed.disabledReason : undefined
    const record = presentMembers<Webhook>({ ...changed, disabledReason })
    const failingSince = isRenewed ? undefined : before.failingSince
    const after = { ...before, record, failingSince }
    await updateWebhookRow(tx, input, 'webhook.updated', { before, after })
    return after
  },
)
