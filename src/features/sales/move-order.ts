import { defineTransaction, type Sql } from '../../db/db.ts'
import type { Refusal } from '../../db/errors.ts'
import { refusal } from '../refuse.ts'
import type { Order, OrderStatus } from './contract/orders.ts'
import { lockAndExpireOne } from './lock-and-expire.ts'
import { selectOrders, updateOrderStatus } from './queries.ts'
import { fulfil, release } from './reservations.ts'

/** The statuses that clients can set; only the clock sets `expired`. */
type Target = 'shipped' | 'delivered' | 'cancelled'

type Move = { id: bigint; target: Target; now: number }

/** The transitions of orders, and their effect on the stock. */
const moves: Record<
  Target,
  { from: OrderStatus; settle?: (sql: Sql, petId: bigint, quantity: number) => Promise<void> }
> = {
  shipped: { from: 'pending' },
  delivered: { from: 'shipped', settle: fulfil },
  cancelled: { from: 'pending', settle: release },
}

/** Moves an order to another status, and updates the stock. */
export const moveOrder = defineTransaction<Move, Order>({
  name: 'moveOrder',
  async run(sql, { id, target, now }) {
    const order = await lockOrder(sql, id, now)
    if (!order) throw refusal('not_found', orderNotFound(id))
    const { from, settle } = moves[target]
    if (order.status !== from) throw cannotMove(order, target)
    await settle?.(sql, order.petId, order.quantity)
    const shipDate = target === 'shipped' ? now : undefined
    return updateOrderStatus(sql, id, { status: target, shipDate })
  },
})

/** An order changes only while its pet is locked, so a read under that lock stays valid. */
async function lockOrder(sql: Sql, id: bigint, now: number): Promise<Order | undefined> {
  const [seen] = await selectOrders(sql, [id])
  if (!seen) return undefined
  await lockAndExpireOne(sql, seen.petId, now)
  const [order] = await selectOrders(sql, [id])
  return order
}

function cannotMove({ id, status }: Order, target: Target): Refusal {
  const { from } = moves[target]
  const message = `Order ${id} is ${status}; only a ${from} order can be ${target}.`
  return refusal(target === 'cancelled' ? 'order_not_cancellable' : 'invalid_transition', message)
}

/** The message for an unknown order id. */
export function orderNotFound(id: bigint): string {
  return `There is no order with the id ${id}.`
}
