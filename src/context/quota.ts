/**
 * How many requests a key may send to this process: a bucket of `burst` requests, refilled at `perSecond`. It counts
 * thousandths of a request, so that whole milliseconds add up exactly.
 */
export type Quota = {
  readonly perSecond: number
  readonly burst: number
  /** Thousandths of a request that were left when it was last filled. */
  left: number
  filledAtMs: number
}

const request = 1_000

export function createQuota(perSecond: number, burst = perSecond): Quota {
  return { perSecond, burst, left: burst * request, filledAtMs: Number.NEGATIVE_INFINITY }
}

/** Takes a request, and returns whether there was one; a refused one takes nothing. */
export function takeRequest(quota: Quota, nowMs: number): boolean {
  const { perSecond, burst, left, filledAtMs } = quota
  // A clock that jumps ahead fills it once; the clock of a test bench may go back.
  const refill = Math.max(0, nowMs - filledAtMs) * perSecond
  const available = Math.min(burst * request, left + refill)
  const isEnough = available >= request
  quota.left = isEnough ? available - request : available
  quota.filledAtMs = nowMs
  return isEnough
}

export function requestsLeft({ left }: Quota): number {
  return Math.floor(left / request)
}
