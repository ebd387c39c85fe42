import type { Context } from '../../context/context.ts'
import { type ListRequest, type Page, readPage } from '../../db/lists/page.ts'
import type { Order, OrdersFilter } from './contract/orders.ts'
import { ordersList } from './queries.ts'

/** One page of orders, with the count of all matches on request. */
export function listOrders(
  { db }: Context,
  request: ListRequest<OrdersFilter>,
): Promise<Page<Order>> {
  return readPage(db, ordersList, request)
}
