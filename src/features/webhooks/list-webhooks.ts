import type { Context } from '../../context/context.ts'
import { type ListRequest, type Page, readPage } from '../../db/lists/page.ts'
import type { Webhook } from './contract/webhooks.ts'
import { shownWebhook, webhooksList } from './queries.ts'

/** One page of webhooks, without their secrets. */
export async function listWebhooks(
  context: Context,
  request: ListRequest<Record<never, never>>,
): Promise<Page<Webhook>> {
  const { items, ...page } = await readPage(context.db, webhooksList, request)
  return { ...page, items: items.map((webhook) => shownWebhook(context, webhook)) }
}
