import type { Context } from '../../../context/context.ts'
import { type ListRequest, type Page, readPage } from '../../../db/lists/page.ts'
import type { DeliveriesFilter, Delivery } from '../contract/deliveries.ts'
import { getWebhook } from '../read-webhooks.ts'
import { deliveriesList } from './queries.ts'

/** One page of the deliveries of a webhook. Throws `not_found`. */
export async function listDeliveries(
  { db, clock }: Context,
  { id, filter, ...request }: ListRequest<DeliveriesFilter> & { id: bigint },
): Promise<Page<Delivery>> {
  await getWebhook({ db, clock }, id)
  return readPage(db, deliveriesList, { ...request, filter: { ...filter, webhookId: id } })
}
