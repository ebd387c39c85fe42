import type { Context } from '../../context/context.ts'
import { type ListRequest, type Page, readPage } from '../../db/lists/page.ts'
import { getBy } from '../verbs.ts'
import { hasMakerEnded } from './authority.ts'
import { type Webhook, webhookRecord } from './contract/webhooks.ts'
import { type StoredWebhook, selectWebhook, webhooksList } from './queries.ts'

type Reading = Pick<Context, 'db' | 'clock'>

/** One page of webhooks, without their secrets. */
export async function listWebhooks(
  { db, clock }: Context,
  request: ListRequest<Record<never, never>>,
): Promise<Page<Webhook>> {
  const { items, ...page } = await readPage(db, webhooksList, request)
  return { ...page, items: items.map((webhook) => shownWebhook(webhook, clock())) }
}

/** One webhook by its id, without its secret. Throws `not_found`. */
export async function getWebhook({ db, clock }: Reading, id: bigint): Promise<Webhook> {
  return shownWebhook(await getStored({ db }, id), clock())
}

const getStored = getBy(selectWebhook, 'webhook')

/** A webhook as clients see it. */
export function shownWebhook(webhook: StoredWebhook, now: number): Webhook {
  const record = webhookRecord.shown(webhook)
  if (!webhook.isResumed) return { ...record, blockedReason: 'copied' }
  return hasMakerEnded(webhook, now) ? { ...record, blockedReason: 'key_ended' } : record
}
