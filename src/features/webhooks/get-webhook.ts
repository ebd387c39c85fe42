import type { Context } from '../../context/context.ts'
import { notFound } from '../refuse.ts'
import type { Webhook } from './contract/webhooks.ts'
import { selectWebhook, shownWebhook } from './queries.ts'

/** One webhook by its id, without its secret. Throws `not_found`. */
export async function getWebhook(
  context: Pick<Context, 'db' | 'actorOf'>,
  id: bigint,
): Promise<Webhook> {
  const webhook = await context.db.read(selectWebhook, id)
  if (!webhook) throw notFound('webhook', id)
  return shownWebhook(context, webhook)
}
