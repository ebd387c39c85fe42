import { type Verdict, verdictOf, type Wanted } from '../creates/history.ts'
import type { Last, OrdersHistory } from './history.ts'
import { holdsOf } from './holds.ts'
import { lostMoves, repeatedMoves, unaskedMoves, unjustifiedMoveRefusals } from './moves.ts'
import {
  foreignOrders,
  forgottenKeys,
  isForStock,
  lostOrders,
  oversoldPets,
  repeatedOrders,
  unjustifiedRefusals,
  wrongStocks,
} from './rules.ts'

/** Compares all responses with all requests and with the store at the end. */
export function checkOrders(history: OrdersHistory, last: Last, wanted: Wanted): Verdict {
  const holds = holdsOf(history, last)
  const violations = [
    ...history.anomalies,
    ...oversoldPets(history, holds),
    ...unjustifiedRefusals(history, holds),
    ...lostOrders(history, last),
    ...foreignOrders(history, last),
    ...repeatedOrders(history, last),
    ...forgottenKeys(history, last),
    ...lostMoves(history, last),
    ...unaskedMoves(history, last),
    ...repeatedMoves(history),
    ...unjustifiedMoveRefusals(history, last),
    ...wrongStocks(history, last),
  ]
  return verdictOf(violations, findGaps(history, wanted))
}

function findGaps(history: OrdersHistory, { faults, services, sinceMs = 0 }: Wanted): string[] {
  const attempts = history.attempts()
  const placed = attempts.filter(({ outcome }) => outcome === 'acknowledged')
  const refused = attempts.filter(isForStock)
  const late = [...placed, ...refused].filter(({ endMs }) => endMs > sinceMs)
  const gaps = faults === 0 ? ['no fault happened'] : []
  if (placed.length === 0) gaps.push('no order was placed')
  if (refused.length === 0) gaps.push('no order was refused')
  for (let service = 0; service < services; service++) {
    if (late.some((attempt) => attempt.service === service)) continue
    gaps.push(`service ${service} took and refused no order`)
  }
  return gaps
}
