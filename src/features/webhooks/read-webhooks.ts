import type { Context } from '../../context/context.ts'
import { type ListRequest, type Page, readPage } from '../../db/lists/page.ts'
import { presentMembers } from '../../db/rows.ts'
import { getBy } from '../verbs.ts'
import type { Webhook } from './contract/webhooks.ts'
import { type StoredWebhook, selectWebhook, webhooksList } from './queries.ts'

type Reading = Pick<Context, 'db' | 'actorOf'>

/** One page of webhooks, without their secrets. */
export async function listWebhooks(
  context: Reading,
  request: ListRequest<Record<never, never>>,
): Promise<Page<Webhook>> {
  const { items, ...page } = await readPage(context.db, webhooksList, request)
  return {
    ...page,
    items: await Promise.all(items.map((webhook) => shownWebhook(context, webhook))),
  }
}

/** One webhook by its id, without its secret. Throws `not_found`. */
export async function getWebhook(context: Reading, id: bigint): Promise<Webhook> {
  return shownWebhook(context, await getStored(context, id))
}

const getStored = getBy(selectWebhook, 'webhook')

/** A webhook as clients see it. */
export async function shownWebhook(
  { actorOf }: Pick<Context, 'actorOf'>,
  { record, failingSince, isResumed }: StoredWebhook,
): Promise<Webhook> {
  const { createdBy } = record
  const hasMaker = createdBy === undefined || !actorOf || (await actorOf(createdBy))
  const blockedReason = isResumed ? (hasMaker ? undefined : 'key_ended') : 'copied'
  return presentMembers<Webhook>({ ...record, failingSince, blockedReason })
}
