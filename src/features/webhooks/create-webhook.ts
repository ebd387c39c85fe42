import type { CallerContext, ServiceContext } from '../../context/context.ts'
import { oneByOne } from '../../db/db.ts'
import { isoOf } from '../../db/records/instants.ts'
import { startOutbox } from '../events/outbox/outbox.ts'
import { refusal } from '../refuse.ts'
import { type Authority, authorityOf, requireCurrent } from './authority.ts'
import { checkWebhookFields } from './check-webhook-fields.ts'
import type { IssuedWebhook, NewWebhook } from './contract/webhooks.ts'
import { secretBytes, secretText } from './deliver/sign.ts'
import { insertResumed, lockWebhooks, type StoredWebhook, webhookWrites } from './queries.ts'
import { shownWebhook } from './read-webhooks.ts'

const webhooksMax = 50

type NewStoredWebhook = NewWebhook & { secret: Uint8Array; createdBy: bigint | undefined }

/**
 * Creates a webhook for the events from now on, and returns it with its secret, which cannot be read again. Resolves only
 * once it is durable. Throws `invalid_body`, `insufficient_scope`, `too_many_webhooks`.
 */
export async function createWebhook(
  context: CallerContext & ServiceContext,
  newWebhook: NewWebhook,
  secret = context.random(secretBytes),
): Promise<IssuedWebhook> {
  await checkWebhookFields(context, newWebhook)
  const authority = authorityOf(context)
  const row = { ...newWebhook, secret, createdBy: context.actor?.keyId }
  const created = await context.db.write(insertWebhook, { row, authority })
  return { ...created, secret: secretText(secret) }
}

export const insertWebhook = oneByOne({
  name: 'insertWebhook',
  async run(tx, input: { row: NewStoredWebhook; authority: Authority }) {
    const { row, authority } = input
    const { now } = authority
    const count = await lockWebhooks(tx)
    if (count >= webhooksMax)
      throw refusal(
        'too_many_webhooks',
        `There are ${webhooksMax} webhooks, as many as a store may have. Delete one, or let one receiver pass events on.`,
      )
    // A store without webhooks has copied none, so nothing needs to stay paused.
    if (count === 0) await insertResumed(tx, now)
    const startsAfter = await startOutbox(tx)
    const added = { ...row, status: 'enabled', createdAt: isoOf(now), startsAfter }
    const [created] = await webhookWrites.create(tx, input, [added])
    const webhook = await webhookWrites.lock(tx, created as StoredWebhook)
    requireCurrent(webhook, authority)
    return shownWebhook(webhook, now)
  },
})
