import type { Context } from '../../context/context.ts'
import type { IssuedWebhook } from './contract/webhooks.ts'
import { secretBytes, secretText } from './deliver/sign.ts'
import { updateWebhookRow, webhookWrite } from './queries.ts'
import { getWebhook, shownWebhook } from './read-webhooks.ts'
import { requireAuthority } from './require-authority.ts'

const overlapMs = 86_400_000

/**
 * Replaces the secret of a webhook, and returns it with the new one, which cannot be read again. Both sign for a day.
 * Throws `not_found`, `insufficient_scope`.
 */
export async function rotateWebhookSecret(context: Context, id: bigint): Promise<IssuedWebhook> {
  const { db, clock, random } = context
  await requireAuthority(context, await getWebhook(context, id))
  const secret = random(secretBytes)
  const stored = await db.write(replaceSecret, { id, secret, endsAt: clock() + overlapMs })
  return { ...(await shownWebhook(context, stored)), secret: secretText(secret) }
}

type NewSecret = { id: bigint; secret: Uint8Array; endsAt: number }

export const replaceSecret = webhookWrite(
  'rotateWebhookSecret',
  async (tx, before, input: NewSecret) => {
    const previousSecretEndsAt = new Date(input.endsAt).toISOString()
    const record = { ...before.record, previousSecretEndsAt }
    const after = { ...before, record, secret: input.secret, previousSecret: before.secret }
    await updateWebhookRow(tx, input, 'webhook.rotated', { before, after })
    return after
  },
)
