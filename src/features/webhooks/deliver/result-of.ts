import type { Delivery } from '../contract/deliveries.ts'
import type { Result } from './queries.ts'
import { pauseAfter, readRetryAfter } from './schedule.ts'
import type { Outcome } from './send-attempt.ts'

/** Attempts that a delivery keeps: all of the schedule, and the last that were asked for. */
const attemptsMax = 12

type Attempted = {
  /** On the context's clock: when the attempt began and ended. */
  startMs: number
  endMs: number
  /** From 0 to 1, spreads the attempts of many. */
  fraction: number
  /** Whether the maker of the webhook may read the event: otherwise no attempt follows. */
  isReadable: boolean
  /** Whether the webhook still has the address that was used. */
  isSameAddress: boolean
}

/** What an attempt makes of a delivery: it has succeeded, has failed, or is due again. */
export function resultOf(due: Delivery, outcome: Outcome, attempted: Attempted): Result {
  const { startMs, endMs, fraction, isReadable, isSameAddress } = attempted
  const { retryAfter, ...attempt } = outcome
  const attemptedAt = new Date(startMs).toISOString()
  const attempts = [...due.attempts, { attemptedAt, ...attempt }].slice(-attemptsMax)
  const made = { ...withoutAttempt(due), attempts }
  const { responseStatus = 0 } = attempt
  if (responseStatus >= 200 && responseStatus < 300) return { ...made, status: 'succeeded' }
  if (!isReadable) return { ...made, status: 'failed' }
  const isGone = responseStatus === 410 && isSameAddress
  const failed = { ...made, hasFailed: true, isGone }
  const pauseMs = pauseAfter(attempts.length, fraction, readRetryAfter(retryAfter, endMs))
  if (isGone || pauseMs === undefined) return { ...failed, status: 'failed' }
  return { ...failed, status: 'pending', dueAt: endMs + pauseMs }
}

/** The delivery of an event that is deleted. */
export function lostResult(due: Delivery): Result {
  return { ...withoutAttempt(due), status: 'lost' }
}

function withoutAttempt({ id, nextAttemptAt = '', attempts }: Delivery) {
  return {
    id,
    wasDueAt: Date.parse(nextAttemptAt),
    dueAt: undefined,
    attempts,
    hasFailed: false,
    isGone: false,
  }
}
