import type { Context } from '../../context/context.ts'
import { type ListRequest, type Page, readPage } from '../../db/lists/page.ts'
import type { Webhook } from './contract/webhooks.ts'
import { webhooksList } from './queries.ts'

/** One page of webhooks, without their secrets. */
export function listWebhooks(
  { db }: Context,
  request: ListRequest<Record<never, never>>,
): Promise<Page<Webhook>> {
  return readPage(db, webhooksList, request)
}
