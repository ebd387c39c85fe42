import type { Attempt, Last, Move, OrdersHistory, SeenOrder } from './history.ts'

/** The clocks that two processes of one machine read differ by this much at most. */
export const clockSlackMs = 50

/**
 * When an order held its pet, as far as clients can know: certainly from `fromLatest` to `toEarliest`, possibly from
 * `fromEarliest` to `toLatest`. A delivered order holds its pet for ever: the pet is gone.
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

/** The holds of all orders in the store at the end, whatever their status. */
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

/** The instant at which one of them has certainly taken effect. */
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
