import { randomBytes } from 'node:crypto'
import type { Db } from './db/seam.ts'

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Clock = () => number

/** Cryptographically strong random bytes. */
export type Random = (count: number) => Uint8Array

/** What every verb receives. */
export type Context = {
  db: Db
  clock: Clock
  random: Random
  /** How long a pending order holds its animal; until it is moved or cancelled when absent. */
  orderHoldMs?: number | undefined
}

export const systemClock: Clock = Date.now
export const systemRandom: Random = randomBytes

/** A clock that shows `startMs` now and then runs on as the system's does. */
export function clockFrom(startMs: number): Clock {
  const offsetMs = startMs - Date.now()
  return () => Date.now() + offsetMs
}
