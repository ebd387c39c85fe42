import type { Context } from '../../context/context.ts'
import { defineWrite, outcomesOf } from '../../db/db.ts'
import type { Refusal } from '../../db/errors.ts'
import { selectByIds } from '../../db/lists/by-id.ts'
import { notFound, refusal } from '../refuse.ts'
import type { Order, OrderStatus } from './contract/orders.ts'
import { lockAndExpire } from './lock-and-expire.ts'
import { orderTable, updateOrders, updateStocks } from './queries.ts'
import { recordStock } from './record-stock.ts'
import { fulfil, release } from './reservations.ts'
import type { Stock } from './stock.ts'

/** The statuses that clients can set; only the clock sets `expired`. */
type MovedStatus = 'shipped' | 'delivered' | 'cancelled'

type Move = {
  id: bigint
  target: MovedStatus
  now: number
  /** Set when the order is first read: outside of its batch, the move waits with the others of this pet. */
  petId?: bigint
}

/** The transitions of orders, and their effect on the stock. */
const moves: Record<
  MovedStatus,
  { from: OrderStatus; settleStock?: (stock: Stock, quantity: number) => void }
> = {
  shipped: { from: 'pending' },
  delivered: { from: 'shipped', settleStock: fulfil },
  cancelled: { from: 'pending', settleStock: release },
}

/** The stock stays reserved until the delivery. Throws `not_found`, `invalid_transition`. */
export const shipOrder = moveTo('shipped')
/** Its stock leaves the inventory. Throws `not_found`, `invalid_transition`. */
export const deliverOrder = moveTo('delivered')
/** The stock that it held is free again. Throws `not_found`, `order_not_cancellable`. */
export const cancelOrder = moveTo('cancelled')

/** The verb that moves an order to a status. */
function moveTo(target: MovedStatus) {
  return ({ db, clock }: Context, id: bigint): Promise<Order> =>
    db.write(moveOrder, { id, target, now: clock() })
}

/** Moves orders to another status, and updates the stock. */
export const moveOrder = defineWrite<Move, Order>({
  name: 'moveOrder',
  rowOf: ({ id, petId }) => (petId === undefined ? id : `pet ${petId}`),
  async run(tx, requested) {
    const ids = requested.map(({ id }) => id)
    const now = requested.reduce((latest, move) => Math.max(latest, move.now), 0)
    const seen = await selectByIds(tx, orderTable, ids)
    for (const move of requested) {
      const petId = seen.get(move.id)?.petId
      if (petId !== undefined) move.petId = petId
    }
    const stocks = await lockAndExpire(
      tx,
      Array.from(seen.values(), ({ petId }) => ({ petId, now })),
    )
    // An order changes only while its pet is locked, so a read under that lock stays valid. An order that was created
    // since the first read is left out: its pet is not locked.
    const orders = await selectByIds(tx, orderTable, [...seen.keys()])
    const changed = new Set<Stock>()
    const moved = new Map<bigint, Order>()
    const outcomes = outcomesOf(requested, (move) => {
      const { id, target, now: at } = move
      const order = moved.get(id) ?? orders.get(id)
      if (!order) throw notFound('order', id)
      const { from, settleStock } = moves[target]
      if (order.status !== from) throw cannotMove(order, target)
      // Due, but beyond what one transaction expires.
      if (isDue(order, now)) throw cannotMove({ ...order, status: 'expired' }, target)
      const next = movedTo(order, target, at)
      tx.record(move, { type: `order.${target}`, record: 'order', id, data: next, before: order })
      moved.set(id, next)
      if (settleStock) {
        const stock = stocks.get(order.petId)
        if (!stock) throw new Error(`Pet ${order.petId} of the open order ${id} does not exist.`)
        const before = { ...stock }
        settleStock(stock, order.quantity)
        recordStock(tx, move, { before, after: stock })
        changed.add(stock)
      }
      return next
    })
    await updateStocks(tx, [...changed])
    await updateOrders(tx, [...moved.values()])
    return outcomes
  },
})

function isDue({ status, expiresAt }: Order, now: number): boolean {
  return status === 'pending' && expiresAt !== undefined && Date.parse(expiresAt) <= now
}

function movedTo(order: Order, target: MovedStatus, now: number): Order {
  const moved = { ...order, status: target, complete: target === 'delivered' }
  return target === 'shipped' ? { ...moved, shipDate: new Date(now).toISOString() } : moved
}

function cannotMove({ id, status }: Order, target: MovedStatus): Refusal {
  const { from } = moves[target]
  const message = `Order ${id} is ${status}; only a ${from} order can be ${target}.`
  return refusal(target === 'cancelled' ? 'order_not_cancellable' : 'invalid_transition', message)
}
