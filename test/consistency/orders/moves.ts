import type { Attempt, Last, Move, OrdersHistory, SeenOrder } from './history.ts'
import { clockSlackMs, firstAcknowledgedMs, groupById, mayHaveActed } from './holds.ts'

/** The possible final statuses after a move. */
const after: Record<Move['target'], readonly string[]> = {
  shipped: ['shipped', 'delivered'],
  delivered: ['delivered'],
  cancelled: ['cancelled'],
}

/** The moves that a final status requires. */
const before: Record<string, readonly Move['target'][]> = {
  shipped: ['shipped'],
  delivered: ['shipped', 'delivered'],
  cancelled: ['cancelled'],
}

/** No acknowledged move is undone. */
export function lostMoves({ moves }: OrdersHistory, { orders }: Last): string[] {
  const found = new Map(orders.map((order) => [order.id, order]))
  return moves.flatMap(({ orderId, target, attempts }) => {
    if (!attempts.some(({ outcome }) => outcome === 'acknowledged')) return []
    const status = found.get(orderId)?.status ?? 'not there'
    return after[target].includes(status)
      ? []
      : [`lost: order ${orderId} was ${target}, and is ${status}`]
  })
}

/** An order has the status to which a client, or its hold time, has moved it. */
export function unaskedMoves({ moves }: OrdersHistory, { orders, endMs }: Last): string[] {
  const movesOf = groupById(moves)
  return orders.flatMap(({ id, status, dueMs = Number.POSITIVE_INFINITY }) => {
    if (status === 'expired' && dueMs > endMs + clockSlackMs) {
      return [`unasked: order ${id} has expired before its time`]
    }
    const missing = (before[status] ?? []).filter((target) => {
      const asked = (movesOf.get(id) ?? []).filter((move) => move.target === target)
      return !asked.some(({ attempts }) => attempts.some(mayHaveActed))
    })
    return missing.map((target) => `unasked: order ${id} is ${status}, and nobody had it ${target}`)
  })
}

/** Of several requests for the same move of an order, one succeeds. */
export function repeatedMoves({ moves }: OrdersHistory): string[] {
  const done = moves.filter(({ attempts }) =>
    attempts.some(({ outcome }) => outcome === 'acknowledged'),
  )
  const twins = Map.groupBy(done, ({ orderId, target }) => `order ${orderId} was ${target}`)
  return [...twins].flatMap(([what, { length }]) =>
    length > 1 ? [`repeated: ${what} ${length} times`] : [],
  )
}

/** A refused move has a cause: the order may have been moved otherwise before. */
export function unjustifiedMoveRefusals({ moves }: OrdersHistory, { orders }: Last): string[] {
  const movesOf = groupById(moves)
  const found = new Map(orders.map((order) => [order.id, order]))
  return moves.flatMap((move) => {
    // A repetition with a key gets the response of the first request, so it is no cause.
    const others = (movesOf.get(move.orderId) ?? []).filter(
      (other) => other !== move || move.key === undefined,
    )
    const refused = move.attempts.filter(
      ({ code }) => code === 'invalid_transition' || code === 'order_not_cancellable',
    )
    return refused.flatMap((attempt) =>
      isJustified(move, attempt, others, found.get(move.orderId))
        ? []
        : [
            `unjustified: order ${move.orderId} was not ${move.target}, and nothing stood against it`,
          ],
    )
  })
}

function isJustified(
  { target }: Move,
  { startMs, endMs }: Attempt,
  others: readonly Move[],
  order: SeenOrder | undefined,
): boolean {
  const actedBy = (...targets: string[]) =>
    others
      .filter((other) => targets.includes(other.target))
      .flatMap(({ attempts }) => attempts.filter(mayHaveActed))
  const mayBeDone = (...targets: string[]) =>
    actedBy(...targets).some((one) => one.startMs <= endMs)
  if (target === 'delivered') {
    const isShipped = firstAcknowledgedMs(actedBy('shipped')) < startMs
    return !isShipped || mayBeDone('delivered')
  }
  const isDue = order?.status === 'expired' && (order.dueMs ?? 0) <= endMs + clockSlackMs
  return isDue || mayBeDone('shipped', 'cancelled')
}
