import type { CallerContext, ServiceContext } from '../../context/context.ts'
import { presentMembers } from '../../db/records/rows.ts'
import { startOutbox } from '../events/outbox/outbox.ts'
import { type Authority, authorityOf, requireAuthority } from './authority.ts'
import { checkWebhookFields } from './check-webhook-fields.ts'
import type { Webhook, WebhookChange } from './contract/webhooks.ts'
import { noteMissed, type StoredWebhook, webhookWrite, webhookWrites } from './queries.ts'
import { shownWebhook } from './read-webhooks.ts'

/** Changes the given fields of a webhook. Throws `invalid_body`, `not_found`, `insufficient_scope`. */
export async function updateWebhook(
  context: CallerContext & ServiceContext,
  { id, body }: { id: bigint; body: WebhookChange },
): Promise<Webhook> {
  await checkWebhookFields(context, body)
  return context.db.write(changeWebhook, { id, body, authority: authorityOf(context) })
}

type Change = { id: bigint; body: WebhookChange; authority: Authority }

export const changeWebhook = webhookWrite('updateWebhook', async (tx, before, input: Change) => {
  const { id, body, authority } = input
  if (body.url !== undefined) requireAuthority(before, authority)
  const changed = { ...before, ...body }
  const { url, status } = before
  const isEnabled = changed.status === 'enabled' && status !== 'enabled'
  const isRenewed = isEnabled || changed.url !== url
  const after = presentMembers<StoredWebhook>({
    ...changed,
    disabledReason: changed.status === 'disabled' ? changed.disabledReason : undefined,
    // Otherwise five days of failures would disable it again at once.
    failingSince: isRenewed ? undefined : changed.failingSince,
  })
  if (isEnabled) await startOutbox(tx)
  if (changed.status === 'paused' && status === 'enabled') await noteMissed(tx, [id])
  await webhookWrites.change(tx, input, 'updated', { before, after })
  return shownWebhook(await webhookWrites.lock(tx, { id }), authority.now)
})
