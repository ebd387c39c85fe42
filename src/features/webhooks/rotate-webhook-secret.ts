import type { Context } from '../../context/context.ts'
import { webhookWrite } from './change-webhook.ts'
import type { IssuedWebhook } from './contract/webhooks.ts'
import { secretBytes, secretText } from './deliver/sign.ts'
import { getWebhook } from './get-webhook.ts'
import { shownWebhook } from './queries.ts'
import { requireAuthority } from './require-authority.ts'

const overlapMs = 86_400_000

/**
 * Replaces the secret of a webhook, and returns it with the new one, which cannot be read again. Both sign for a day.
 * Throws `not_found`, `insufficient_scope`.
 */
export async function rotateWebhookSecret(context: Context, id: bigint): Promise<IssuedWebhook> {
  const { db, clock, random } = context
  requireAuthority(context, await getWebhook(context, id))
  const secret = random(secretBytes)
  const stored = await db.write(replaceSecret, { id, secret, endsAt: clock() + overlapMs })
  return { ...shownWebhook(context, stored), secret: secretText(secret) }
}

export const replaceSecret = webhookWrite<{ secret: Uint8Array; endsAt: number }>(
  'webhook.rotated',
  (webhook, { secret, endsAt }) => ({
    ...webhook,
    secret,
    previous: { secret: webhook.secret, endsAt },
  }),
)
