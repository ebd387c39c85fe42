import type { Context } from '../../context/context.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Order } from './contract/orders.ts'
import { orderNotFound } from './move-order.ts'
import { selectOrder } from './queries.ts'

/** One order by its id. Throws `not_found`. */
export async function getOrder({ db }: Context, id: bigint): Promise<Order> {
  const order = await db.read(selectOrder, id)
  if (!order) throw new ServiceError('not_found', orderNotFound(id))
  return order
}
