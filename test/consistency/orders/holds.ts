import type { Attempt, Last, Move, OrdersHistory, SeenOrder } from './history.ts'

/** Two processes of one machine read its clock that far apart, at most. */
export const clockSlackMs = 50

/**
 * When an order held its pet, as far as clients can know: not before `fromEarliest`, from `fromLatest` on for sure, to
 * `toEarliest` for sure, not after `toLatest`. What was delivered is held for good: it is gone.
 */
export type Hold = {
  orderId: number
  petId: number
  quantity: number
  reference: string
  fromEarliest: number
  fromLatest: number
  toEarliest: number
  toLatest: number
}

/** The holds of all orders that are there in the end, whatever has become of them. */
export function holdsOf(history: OrdersHistory, last: Last): Hold[] {
  const cancels = groupById(history.moves.filter(({ target }) => target === 'cancelled'))
  return last.orders.flatMap((order) => {
    const sale = history.sales.get(order.reference ?? '')
    if (!sale) return []
    const placed = sale.attempts.filter(mayHaveActed)
    return [
      {
        orderId: order.id,
        petId: order.petId,
        quantity: order.quantity,
        reference: sale.reference,
        fromEarliest: Math.min(...placed.map(({ startMs }) => startMs)),
        fromLatest: Math.min(last.startMs, firstAcknowledgedMs(placed)),
        ...endOf(order, cancels.get(order.id) ?? []),
      },
    ]
  })
}

export function mayHaveActed({ outcome }: Attempt): boolean {
  return outcome !== 'refused'
}

/** The instant from which it is known that one of them has acted. */
export function firstAcknowledgedMs(attempts: readonly Attempt[]): number {
  const acknowledged = attempts.filter(({ outcome }) => outcome === 'acknowledged')
  return Math.min(...acknowledged.map(({ endMs }) => endMs))
}

export function groupById(moves: readonly Move[]): Map<number, Move[]> {
  return Map.groupBy(moves, ({ orderId }) => orderId)
}

function endOf({ status, dueMs }: SeenOrder, cancels: readonly Move[]) {
  if (status === 'cancelled') {
    const attempts = cancels.flatMap((cancel) => cancel.attempts).filter(mayHaveActed)
    const toEarliest = Math.min(...attempts.map(({ startMs }) => startMs))
    return { toEarliest, toLatest: firstAcknowledgedMs(attempts) }
  }
  if (status === 'expired' && dueMs !== undefined) {
    return { toEarliest: dueMs - clockSlackMs, toLatest: dueMs + clockSlackMs }
  }
  return { toEarliest: Number.POSITIVE_INFINITY, toLatest: Number.POSITIVE_INFINITY }
}
