import type { Attempt, Last, OrdersHistory, Sale } from './history.ts'
import { type Hold, mayHaveActed } from './holds.ts'

/** At no moment do orders certainly hold more than the stock: each from its latest start to its earliest end. */
export function oversoldPets(history: OrdersHistory, holds: readonly Hold[]): string[] {
  return [...Map.groupBy(holds, ({ petId }) => petId)].flatMap(([petId, held]) => {
    const stock = history.stockOf.get(petId) ?? 0
    for (const { fromLatest } of held) {
      const sure = held.filter((hold) => isSureAt(hold, fromLatest))
      if (sumOf(sure) <= stock) continue
      const orders = sure.map(({ orderId }) => orderId)
      return [`oversold: of pet ${petId} there are ${stock}, and orders ${orders} held it at once`]
    }
    return []
  })
}

/** Every refusal has a cause: at some moment of the request other orders may have held the stock. */
export function unjustifiedRefusals(history: OrdersHistory, holds: readonly Hold[]): string[] {
  const holdsOfPet = Map.groupBy(holds, ({ petId }) => petId)
  return [...history.sales.values()].flatMap((sale) => {
    const others = (holdsOfPet.get(sale.petId) ?? []).filter(
      ({ reference }) => reference !== sale.reference,
    )
    const unjustified = sale.attempts.filter(
      (attempt) => isForStock(attempt) && !isJustified(history, sale, attempt, others),
    )
    return unjustified.map(
      ({ code }) =>
        `unjustified: ${sale.reference}, for ${sale.quantity} of pet ${sale.petId}, met ${code}, and nobody held so many`,
    )
  })
}

function isJustified(
  history: OrdersHistory,
  { petId, quantity }: Sale,
  { startMs, endMs, code }: Attempt,
  others: readonly Hold[],
): boolean {
  const stock = history.stockOf.get(petId) ?? 0
  const near = others.filter((hold) => hold.fromEarliest <= endMs && hold.toLatest >= startMs)
  const moments = near.flatMap(({ fromEarliest, toEarliest }) => [fromEarliest, toEarliest])
  const within = [startMs, endMs, ...moments.filter((ms) => ms > startMs && ms < endMs)]
  return within.some((ms) => {
    const most = sumOf(near.filter((hold) => hold.fromEarliest <= ms && ms <= hold.toLatest))
    if (code === 'pet_not_available') return most >= stock
    const least = sumOf(near.filter((hold) => isSureAt(hold, ms)))
    return most > stock - quantity && least < stock
  })
}

/** Whether it was refused for lack of stock. */
export function isForStock({ code }: Attempt): boolean {
  return code === 'pet_not_available' || code === 'insufficient_stock'
}

function isSureAt({ fromLatest, toEarliest }: Hold, ms: number): boolean {
  return fromLatest <= ms && ms < toEarliest
}

function sumOf(holds: readonly { quantity: number }[]): number {
  return holds.reduce((sum, { quantity }) => sum + quantity, 0)
}

/** Every order in a response exists at the end, as requested. */
export function lostOrders(history: OrdersHistory, { orders }: Last): string[] {
  const found = new Map(orders.map((order) => [order.id, order]))
  const there = new Set(orders.map(({ reference }) => reference))
  return [...history.sales.values()].flatMap(({ reference, petId, quantity, attempts }) => {
    const ids = new Set(attempts.flatMap(({ orderId }) => orderId ?? []))
    const isAcknowledged = attempts.some(({ outcome }) => outcome === 'acknowledged')
    if (ids.size === 0) return isAcknowledged && !there.has(reference) ? [`lost: ${reference}`] : []
    return [...ids].flatMap((id) => {
      const order = found.get(id)
      if (!order) return [`lost: order ${id}, ${reference}`]
      const isAsWanted =
        order.reference === reference && order.petId === petId && order.quantity === quantity
      return isAsWanted ? [] : [`changed: order ${id}, which is not ${reference} as it was sent`]
    })
  })
}

/** Every order was requested, and not refused. */
export function foreignOrders(history: OrdersHistory, { orders }: Last): string[] {
  return orders.flatMap(({ id, reference = '' }) => {
    const sale = history.sales.get(reference)
    if (!sale) return [`foreign: order ${id} was never sent`]
    const isWanted = sale.attempts.some(mayHaveActed)
    return isWanted ? [] : [`foreign: order ${id}, ${reference}, was refused, yet is there`]
  })
}

/** One order for each sale, however often it was sent, and one response. */
export function repeatedOrders(history: OrdersHistory, { orders }: Last): string[] {
  const there = Map.groupBy(orders, ({ reference }) => reference)
  return [...history.sales.values()].flatMap(({ reference, attempts }) => {
    const answered = new Set(attempts.flatMap(({ orderId }) => orderId ?? []))
    const ids = new Set([...answered, ...(there.get(reference) ?? []).map(({ id }) => id)])
    return ids.size <= 1 ? [] : [`repeated: ${reference} is orders ${[...ids]}`]
  })
}

/** Once a request has placed the order, a repetition is not refused. */
export function forgottenKeys(history: OrdersHistory, { orders }: Last): string[] {
  const there = new Set(orders.map(({ reference }) => reference))
  return [...history.sales.values()].flatMap(({ reference, attempts }) => {
    if (!there.has(reference)) return []
    const lastEndMs = Math.max(...attempts.filter(mayHaveActed).map(({ endMs }) => endMs))
    const isForgotten = attempts.some((one) => isForStock(one) && one.startMs > lastEndMs)
    return isForgotten ? [`forgotten: ${reference} was placed, and refused when repeated`] : []
  })
}

/** At the end a pet's stock is what its orders have left. */
export function wrongStocks(history: OrdersHistory, { orders, stocks }: Last): string[] {
  const ordersOf = Map.groupBy(orders, ({ petId }) => petId)
  const seen = new Map(stocks.map((stock) => [stock.petId, stock]))
  return [...history.stockOf].flatMap(([petId, stock]) => {
    const found = seen.get(petId)
    if (!found) return [`lost: pet ${petId} is not in the inventory`]
    const quantityIn = (...statuses: string[]) =>
      sumOf((ordersOf.get(petId) ?? []).filter(({ status }) => statuses.includes(status)))
    const quantity = stock - quantityIn('delivered')
    const reserved = quantityIn('pending', 'shipped')
    const status = quantity > reserved ? 'available' : reserved > 0 ? 'pending' : 'sold'
    const wanted = `${quantity} of which ${reserved} reserved, ${status}`
    const is = `${found.quantity} of which ${found.reserved} reserved, ${found.status}`
    return is === wanted ? [] : [`stock: of pet ${petId} there are ${is}; by its orders ${wanted}`]
  })
}
