import type { Context } from '../context.ts'
import type { Page, PageRequest } from '../db/page.ts'
import type { Order, OrdersQuery } from './contract.ts'
import { countOrders, selectOrders } from './queries.ts'

type OrdersRequest = { query: OrdersQuery; page: PageRequest; wantsTotal: boolean }

/** One page of orders, with the number of all that match where it is wanted. */
export async function listOrders(
  { db }: Context,
  { query, page, wantsTotal }: OrdersRequest,
): Promise<Page<Order>> {
  const [orders, total] = await Promise.all([
    db.read(selectOrders, { filter: query, page }),
    wantsTotal ? db.scan(countOrders, query) : undefined,
  ])
  return total === undefined ? orders : { ...orders, total }
}
