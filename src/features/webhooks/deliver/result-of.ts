import type { Delivery } from '../contract/deliveries.ts'
import type { Outcome } from './send-attempt.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** How long after a failed attempt the next one is made; with none left, the delivery has failed. */
const pausesMs = [
  5_000,
  5 * minuteMs,
  30 * minuteMs,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs),
]
const askedMaxMs = 24 * hourMs
/** Attempts that a delivery keeps: all of the schedule, and the last that were asked for. */
const attemptsMax = 12

/** A delivery that this process sends. `leasedUntil` tells whether another one has taken it since. */
export type Taken = Delivery & { leasedUntil: bigint }

/** What became of a delivery that was taken: as it is afterwards. */
export type Result = Pick<Taken, 'id' | 'webhookId' | 'leasedUntil' | 'status' | 'attempts'> & {
  dueAt?: number
  /** The receiver failed at this address; `isGone`: it responded that it will never take anything. */
  fault?: { url: string; isGone: boolean }
}

/** Where an attempt was made, and on the context's clock when it began and ended. */
type Attempted = { url: string; startMs: number; endMs: number }

/** What an attempt makes of a delivery: it has succeeded, has failed, or is due again. */
export function resultOf(taken: Taken, outcome: Outcome, attempted: Attempted): Result {
  const { url, startMs, endMs } = attempted
  const { retryAfter = '', ...attempt } = outcome
  const made = withAttempt(taken, startMs, attempt)
  const { responseStatus = 0 } = attempt
  if (responseStatus >= 200 && responseStatus < 300) return { ...made, status: 'succeeded' }
  const fault = { url, isGone: responseStatus === 410 }
  const pauseMs = pausesMs[made.attempts.length - 1]
  if (pauseMs === undefined) return { ...made, status: 'failed', fault }
  const askedMs = Math.min(readRetryAfter(retryAfter, endMs), askedMaxMs)
  return { ...made, status: 'pending', dueAt: endMs + Math.max(pauseMs, askedMs), fault }
}

/** A delivery that has failed without a request, after which no attempt follows. */
export function unsendableResult(taken: Taken, nowMs: number, error: string): Result {
  return { ...withAttempt(taken, nowMs, { durationMs: 0, error }), status: 'failed' }
}

/** A delivery that is given back without an attempt: another process, or this one later, takes it again. */
export function unsentResult({ nextAttemptAt = '', ...taken }: Taken): Result {
  return { ...taken, status: 'pending', dueAt: Date.parse(nextAttemptAt) }
}

function withAttempt(
  { id, webhookId, leasedUntil, attempts }: Taken,
  startMs: number,
  outcome: Outcome,
) {
  const attempt = { attemptedAt: new Date(startMs).toISOString(), ...outcome }
  return { id, webhookId, leasedUntil, attempts: [...attempts, attempt].slice(-attemptsMax) }
}

/** The milliseconds that a Retry-After header asks for: seconds, or a date (RFC 9110, section 10.2.3). */
function readRetryAfter(header: string, nowMs: number): number {
  if (/^\d{1,19}$/.test(header)) return Number(header) * 1_000
  const atMs = / GMT$/.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(atMs) ? 0 : atMs - nowMs
}
