import type { Context } from '../../context/context.ts'
import type { Order } from './contract/orders.ts'
import { moveOrder } from './move-order.ts'

/** Marks an order as delivered: its stock leaves the inventory. Throws `not_found`, `invalid_transition`. */
export function deliverOrder({ db, clock }: Context, id: bigint): Promise<Order> {
  return db.write(moveOrder, { id, target: 'delivered', now: clock() })
}
