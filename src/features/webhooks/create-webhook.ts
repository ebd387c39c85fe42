import type { Context } from '../../context/context.ts'
import { oneByOne } from '../../db/db.ts'
import { refusal } from '../refuse.ts'
import { checkWebhookFields } from './check-webhook-fields.ts'
import type { IssuedWebhook, NewWebhook } from './contract/webhooks.ts'
import { secretBytes, secretText } from './deliver/sign.ts'
import { insertResumed, insertWebhookRow, lockWebhooks, type NewStoredWebhook } from './queries.ts'
import { shownWebhook } from './read-webhooks.ts'

const webhooksMax = 50

/**
 * Creates a webhook for the events from now on, and returns it with its secret, which cannot be read again. Resolves only
 * once it is durable. Throws `invalid_body`, `insufficient_scope`, `too_many_webhooks`.
 */
export async function createWebhook(
  context: Context,
  newWebhook: NewWebhook,
  secret = context.random(secretBytes),
): Promise<IssuedWebhook> {
  const { db, clock, actor, feed } = context
  await requireCurrent(context)
  await checkWebhookFields(context, newWebhook)
  if (!feed) throw new Error('Only a service has a feed.')
  const { newest } = await feed.positions()
  const row = { ...newWebhook, secret, createdAt: clock(), createdBy: actor?.keyId }
  const stored = await db.write(insertWebhook, { row, position: newest })
  return { ...(await shownWebhook(context, stored)), secret: secretText(secret) }
}

/** A webhook lasts as long as the key that made it: longer than what a rotation has replaced. */
async function requireCurrent({ actor, actorOf }: Context): Promise<void> {
  const current = actor && (await actorOf?.(actor.keyId))
  if (!current || Buffer.compare(current.digest, actor.digest) === 0) return
  throw refusal(
    'insufficient_scope',
    'This API key was replaced by another one, and makes no webhook, which would outlast it. Use its successor.',
  )
}

export const insertWebhook = oneByOne({
  name: 'insertWebhook',
  async run(tx, input: { row: NewStoredWebhook; position: bigint }) {
    const count = await lockWebhooks(tx)
    if (count >= webhooksMax)
      throw refusal(
        'too_many_webhooks',
        `There are ${webhooksMax} webhooks, as many as a store may have. Delete one, or let one receiver pass events on.`,
      )
    // A store without webhooks has copied none, so nothing needs to stay paused.
    if (count === 0) await insertResumed(tx, input.row.createdAt)
    const stored = await insertWebhookRow(tx, input.row, input.position)
    const { record: data } = stored
    tx.record(input, { type: 'webhook.created', record: 'webhook', id: data.id, data })
    return stored
  },
})
