import type { Context } from '../../context/context.ts'
import { defineWrite, type Outcome } from '../../db/db.ts'
import type { NewOrder, Order } from './contract/orders.ts'
import { lockAndExpire } from './lock-and-expire.ts'
import { insertOrders, type OrderToPlace, updateStocks } from './queries.ts'
import { refusalsOf, reserve } from './reservations.ts'

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

export const placeOrder = defineWrite<OrderToPlace, Order>({
  name: 'placeOrder',
  rowOf: ({ petId }) => petId,
  async run(tx, orders) {
    const stocks = await lockAndExpire(tx, orders)
    const shortages = orders.map((order) => reserve(stocks.get(order.petId), order))
    const accepted = orders.filter((_, index) => shortages[index] === undefined)
    await updateStocks(
      tx,
      accepted.flatMap(({ petId }) => stocks.get(petId) ?? []),
    )
    const placed = await insertOrders(tx, accepted)
    // Read after the insert, so that the messages name orders of this batch too.
    const refusals = await refusalsOf(tx, shortages)
    let next = 0
    return refusals.map(
      (refusal): Outcome<Order> => (refusal ? { refusal } : { value: placed[next++] as Order }),
    )
  },
})
