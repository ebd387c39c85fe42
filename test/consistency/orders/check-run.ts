import type { Verdict } from '../creates/history.ts'
import type { Last, OrdersHistory } from './history.ts'
import { holdsOf } from './holds.ts'
import { groundlessMoveRefusals, lostMoves, repeatedMoves, unaskedMoves } from './moves.ts'
import {
  foreignOrders,
  forgottenKeys,
  groundlessRefusals,
  isForStock,
  lostOrders,
  oversoldPets,
  repeatedOrders,
  wrongStocks,
} from './rules.ts'

/** What a run has to show before it proves anything. */
type Wanted = {
  /** How often the fault happened, as its evidence says; absent where none was to happen. */
  faults?: number
  /** Each of so many services has placed or refused orders. Who is slow may win none. */
  services: number
  /** That counts from here on. */
  sinceMs?: number
}

/** Holds all that was answered against all that was asked, and against what there is in the end. */
export function checkOrders(history: OrdersHistory, last: Last, wanted: Wanted): Verdict {
  const holds = holdsOf(history, last)
  const violations = [
    ...history.anomalies,
    ...oversoldPets(history, holds),
    ...groundlessRefusals(history, holds),
    ...lostOrders(history, last),
    ...foreignOrders(history, last),
    ...repeatedOrders(history, last),
    ...forgottenKeys(history, last),
    ...lostMoves(history, last),
    ...unaskedMoves(history, last),
    ...repeatedMoves(history),
    ...groundlessMoveRefusals(history, last),
    ...wrongStocks(history, last),
  ]
  if (violations.length > 0) return { verdict: 'violated', reasons: violations }
  const gaps = findGaps(history, wanted)
  return { verdict: gaps.length > 0 ? 'unknown' : 'passed', reasons: gaps }
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
