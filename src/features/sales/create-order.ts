import type { Context } from '../../context/context.ts'
import { defineTransaction } from '../../db/db.ts'
import { refusal } from '../refuse.ts'
import type { NewOrder, Order } from './contract/orders.ts'
import { lockAndExpireOne } from './lock-and-expire.ts'
import { insertOrder, type OrderToPlace } from './queries.ts'
import { reserve } from './reservations.ts'

/**
 * Places an order and reserves its stock, in one transaction. Throws `not_found`, `pet_not_available`,
 * `insufficient_stock`.
 */
export function createOrder(
  { db, clock, orderHoldMs }: Context,
  newOrder: NewOrder,
): Promise<Order> {
  const now = clock()
  const expiresAt = orderHoldMs === undefined ? undefined : now + orderHoldMs
  return db.write(placeOrder, { quantity: 1, ...newOrder, now, expiresAt })
}

export const placeOrder = defineTransaction<OrderToPlace, Order>({
  name: 'placeOrder',
  async run(sql, order) {
    const stock = await lockAndExpireOne(sql, order.petId, order.now)
    if (!stock) throw refusal('not_found', `There is no pet with the id ${order.petId}.`)
    await reserve(sql, stock, order.quantity)
    return insertOrder(sql, order)
  },
})
