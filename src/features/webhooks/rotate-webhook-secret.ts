import type { Context } from '../../context/context.ts'
import { webhookWrite } from './change-webhook.ts'
import type { IssuedWebhook } from './contract/webhooks.ts'
import { secretBytes, secretText } from './deliver/sign.ts'
import { webhookRecord } from './queries.ts'

const overlapMs = 86_400_000

/**
 * Replaces the secret of a webhook, and returns it with the new one, which cannot be read again. Both sign for a day.
 * Throws `not_found`.
 */
export async function rotateWebhookSecret(
  { db, clock, random }: Context,
  id: bigint,
): Promise<IssuedWebhook> {
  const secret = random(secretBytes)
  const stored = await db.write(replaceSecret, { id, secret, endsAt: clock() + overlapMs })
  return { ...webhookRecord(stored, stored.failingSince), secret: secretText(secret) }
}

export const replaceSecret = webhookWrite<{ secret: Uint8Array; endsAt: number }>(
  'webhook.rotated',
  (webhook, { secret, endsAt }) => ({
    ...webhook,
    secret,
    previous: { secret: webhook.secret, endsAt },
  }),
)
