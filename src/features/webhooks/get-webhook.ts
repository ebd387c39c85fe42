import type { Context } from '../../context/context.ts'
import type { Refusal } from '../../db/errors.ts'
import { refusal } from '../refuse.ts'
import type { Webhook } from './contract/webhooks.ts'
import { selectWebhook, shownWebhook } from './queries.ts'

/** One webhook by its id, without its secret. Throws `not_found`. */
export async function getWebhook(
  context: Pick<Context, 'db' | 'actorOf'>,
  id: bigint,
): Promise<Webhook> {
  const webhook = await context.db.read(selectWebhook, id)
  if (!webhook) throw webhookNotFound(id)
  return shownWebhook(context, webhook)
}

export function webhookNotFound(id: bigint): Refusal {
  return refusal('not_found', `There is no webhook with the id ${id}.`)
}
