import type { CallerContext } from '../../context/context.ts'
import { isoOf } from '../../db/records/instants.ts'
import { type Authority, authorityOf, requireAuthority } from './authority.ts'
import type { IssuedWebhook } from './contract/webhooks.ts'
import { secretBytes, secretText } from './deliver/sign.ts'
import { webhookWrite, webhookWrites } from './queries.ts'
import { shownWebhook } from './read-webhooks.ts'

const overlapMs = 86_400_000

/**
 * Replaces the secret of a webhook, and returns it with the new one, which cannot be read again. Both sign for a day.
 * Throws `not_found`, `insufficient_scope`.
 */
export async function rotateWebhookSecret(
  context: CallerContext,
  id: bigint,
): Promise<IssuedWebhook> {
  const secret = context.random(secretBytes)
  const authority = authorityOf(context)
  const rotated = await context.db.write(replaceSecret, { id, secret, authority })
  return { ...rotated, secret: secretText(secret) }
}

type NewSecret = { id: bigint; secret: Uint8Array; authority: Authority }

export const replaceSecret = webhookWrite(
  'rotateWebhookSecret',
  async (tx, before, input: NewSecret) => {
    const { secret, authority } = input
    requireAuthority(before, authority)
    const previousSecretEndsAt = isoOf(authority.now + overlapMs)
    const after = { ...before, secret, previousSecret: before.secret, previousSecretEndsAt }
    await webhookWrites.change(tx, input, 'rotated', { before, after })
    return shownWebhook(after, authority.now)
  },
)
