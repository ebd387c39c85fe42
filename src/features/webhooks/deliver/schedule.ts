const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** How long after a failed attempt the next one is made; with none left, the delivery has failed. */
const pausesMs = [
  ...[5_000, 5 * minuteMs, 30 * minuteMs],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs),
]
/** Attempts of one time are spread over this part of their pause more. */
const jitter = 0.1
const retryAfterMaxMs = dayMs
/** A webhook that fails for so long without a success is disabled. */
export const failingMaxMs = 5 * dayMs

/**
 * The pause after a failed attempt, given how many were made; undefined after the last. `retryAfterMs` is what the
 * receiver asked for; `fraction`, from 0 to 1, spreads the attempts of many.
 */
export function pauseAfter(
  made: number,
  fraction: number,
  retryAfterMs: number | undefined,
): number | undefined {
  const pauseMs = pausesMs[made - 1]
  if (pauseMs === undefined) return undefined
  const spreadMs = Math.round(pauseMs * (1 + jitter * fraction))
  return Math.max(spreadMs, Math.min(retryAfterMs ?? 0, retryAfterMaxMs))
}

/** The milliseconds that a Retry-After header asks for: seconds, or a date (RFC 9110, section 10.2.3). */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,19}$/.test(header)) return Number(header) * 1_000
  const atMs = / GMT$/.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs)
}
