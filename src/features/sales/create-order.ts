import type { ServiceContext } from '../../context/context.ts'
import { defineWrite, type Outcome } from '../../db/db.ts'
import { findPrices } from '../details/write-details.ts'
import type { NewOrder, Order } from './contract/orders.ts'
import { lockAndExpire } from './lock-and-expire.ts'
import { insertOrders, type OrderToPlace, updateStocks } from './queries.ts'
import { recordStock } from './record-stock.ts'
import { refusalsOf, reserve } from './reservations.ts'
import type { Stock } from './stock.ts'

/**
 * Places an order and reserves its stock, in one transaction. Throws `not_found`, `pet_not_available`,
 * `insufficient_stock`.
 */
export function createOrder(
  { db, clock, orderHoldMs }: ServiceContext,
  newOrder: NewOrder,
): Promise<Order> {
  const now = clock()
  const expiresAt = orderHoldMs === undefined ? undefined : now + orderHoldMs
  return db.write(placeOrder, { quantity: 1, ...newOrder, now, expiresAt })
}

/** An order that is placed, and the stock of its pet before and after it. */
type AcceptedOrder = { order: OrderToPlace; before: Stock; after: Stock }

export const placeOrder = defineWrite<OrderToPlace, Order>({
  name: 'placeOrder',
  rowOf: ({ petId }) => petId,
  async run(tx, orders) {
    const stocks = await lockAndExpire(tx, orders)
    const accepted: AcceptedOrder[] = []
    const shortages = orders.map((order) => {
      const stock = stocks.get(order.petId)
      const before = stock && { ...stock }
      const shortage = reserve(stock, order)
      if (before && !shortage) accepted.push({ order, before, after: { ...stock } })
      return shortage
    })
    await updateStocks(
      tx,
      accepted.flatMap(({ order }) => stocks.get(order.petId) ?? []),
    )
    const prices = await findPrices(
      tx,
      accepted.map(({ order }) => order.petId),
    )
    const placed = await insertOrders(
      tx,
      accepted.map(({ order }) => ({ ...order, unitPrice: prices.get(order.petId) })),
    )
    for (const [index, { order, ...change }] of accepted.entries()) {
      const data = placed[index] as Order
      tx.record(order, { type: 'order.placed', record: 'order', id: data.id, data })
      recordStock(tx, order, change)
    }
    // Read after the insert, so that the messages name orders of this batch too.
    const refusals = await refusalsOf(tx, shortages)
    let next = 0
    return refusals.map(
      (refusal): Outcome<Order> => (refusal ? { refusal } : { value: placed[next++] as Order }),
    )
  },
})
