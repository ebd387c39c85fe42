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
/** Attempts of one time are spread over this part of their pause more. */
const jitter = 0.1
const askedMaxMs = 24 * hourMs
/** Attempts that a delivery keeps: all of the schedule, and the last that were asked for. */
const attemptsMax = 12

/** A delivery that this process sends. `leasedUntil` tells whether another one has taken it since. */
export type Taken = Delivery & { leasedUntil: bigint }

/** What became of a delivery that was taken: as it is afterwards. */
export type Result = Pick<Taken, 'id' | 'webhookId' | 'leasedUntil' | 'status' | 'attempts'> & {
  /** When the attempt was due. A delivery that is due at another instant by now is to be sent again. */
  wasDueAt: number
  dueAt?: number
  /** How the receiver failed; `gone`: it responded that it will never take anything. */
  fault?: 'failing' | 'gone'
}

type Attempted = {
  /** On the context's clock: when the attempt began and ended. */
  startMs: number
  endMs: number
  /** From 0 to 1, spreads the attempts of many. */
  fraction(): number
  /** Whether the webhook still has the address that was used. */
  isSameAddress: boolean
}

/** Outcomes without a request, after which no attempt follows. */
export const unsendable = {
  isUnreadable: { durationMs: 0, error: 'The key that made this webhook may not read the event.' },
  isDeleted: {
    durationMs: 0,
    error: 'The event was deleted before it could be delivered, or is damaged.',
  },
} as const satisfies Record<string, Outcome>

/** What an attempt makes of a delivery: it has succeeded, has failed, or is due again. */
export function resultOf(
  taken: Taken,
  outcome: Outcome,
  { startMs, endMs, fraction, isSameAddress }: Attempted,
): Result {
  const { retryAfter = '', ...attempt } = outcome
  const attemptedAt = new Date(startMs).toISOString()
  const attempts = [...taken.attempts, { attemptedAt, ...attempt }].slice(-attemptsMax)
  const { dueAt: _, ...made } = { ...unsentResult(taken), attempts }
  const { responseStatus = 0 } = attempt
  if (responseStatus >= 200 && responseStatus < 300) return { ...made, status: 'succeeded' }
  if (Object.values<Outcome>(unsendable).includes(outcome)) return { ...made, status: 'failed' }
  if (responseStatus === 410 && isSameAddress) return { ...made, status: 'failed', fault: 'gone' }
  const pauseMs = pauseAfter(attempts.length, fraction(), readRetryAfter(retryAfter, endMs))
  if (pauseMs === undefined) return { ...made, status: 'failed', fault: 'failing' }
  return { ...made, fault: 'failing', dueAt: endMs + pauseMs }
}

/** A delivery that is given back without an attempt: another process, or this one later, takes it again. */
export function unsentResult({ id, webhookId, leasedUntil, nextAttemptAt, attempts }: Taken) {
  const dueAt = Date.parse(nextAttemptAt ?? '')
  const status = 'pending' as const
  return { id, webhookId, leasedUntil, wasDueAt: dueAt, dueAt, status, attempts }
}

/**
 * The pause after a failed attempt, given how many were made; undefined after the last. `askedMs` is what the receiver asked
 * for; `fraction`, from 0 to 1, spreads the attempts of many.
 */
function pauseAfter(made: number, fraction: number, askedMs: number): number | undefined {
  const pauseMs = pausesMs[made - 1]
  if (pauseMs === undefined) return undefined
  return Math.max(Math.round(pauseMs * (1 + jitter * fraction)), Math.min(askedMs, askedMaxMs))
}

/** The milliseconds that a Retry-After header asks for: seconds, or a date (RFC 9110, section 10.2.3). */
function readRetryAfter(header: string, nowMs: number): number {
  if (/^\d{1,19}$/.test(header)) return Number(header) * 1_000
  const atMs = / GMT$/.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(atMs) ? 0 : atMs - nowMs
}
