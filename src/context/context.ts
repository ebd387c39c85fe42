import { randomBytes } from 'node:crypto'
import type { Scope } from '../contract/scopes.ts'
import type { Db } from '../db/seam.ts'

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Clock = () => number

/** Cryptographically strong random bytes. */
export type Random = (count: number) => Uint8Array

/** Who asks for an operation: the key, and what it may do. */
export type Actor = { keyId: bigint; scopes: ReadonlySet<Scope> }

/** What every verb receives. */
export type Context = {
  db: Db
  clock: Clock
  random: Random
  /** Absent where no request asks, but a command or a job. */
  actor?: Actor | undefined
  /** How long a pending order holds its animal; until it is moved or cancelled when absent. */
  orderHoldMs?: number | undefined
}

export const systemRandom: Random = randomBytes

/** What a clock goes by, in milliseconds: the time of day since 1970, and a clock that nobody sets. */
type TimeSources = { wall(): number; monotonic(): number }

export type ClockOptions = {
  /** What the clock shows now; the time of day when absent. */
  startMs?: number | undefined
  sources?: TimeSources
  /** Told once that the time of day was set back, by so many milliseconds. */
  onSetBack?(ms: number): void
}

const systemSources: TimeSources = { wall: Date.now, monotonic: () => performance.now() }

/** The time of day is corrected by less than this all the time. */
const setBackToldMs = 1_000

/**
 * A clock that never goes back: it follows the time of day, and runs on by the monotonic clock where the time of day was set
 * back, so that what is due in a minute is due in a minute.
 */
export function createClock({
  startMs,
  sources: { wall, monotonic } = systemSources,
  onSetBack,
}: ClockOptions = {}): Clock {
  const offsetMs = startMs === undefined ? 0 : startMs - wall()
  let anchorMs = Number.NEGATIVE_INFINITY
  let anchoredAtMs = 0
  let isTold = false

  return () => {
    const shownMs = wall() + offsetMs
    const nowMs = monotonic()
    const leastMs = anchorMs + nowMs - anchoredAtMs
    if (shownMs < leastMs) {
      if (!isTold && leastMs - shownMs > setBackToldMs) {
        isTold = true
        onSetBack?.(Math.round(leastMs - shownMs))
      }
      return Math.floor(leastMs)
    }
    anchorMs = shownMs
    anchoredAtMs = nowMs
    return shownMs
  }
}

export const systemClock: Clock = createClock()
