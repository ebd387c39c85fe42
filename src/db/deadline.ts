import { Unavailable } from './errors.ts'

/** A scan that somebody waits for has this long from when its turn has come: what waited is not given up as soon as it begins. */
export const scanMaxMs = 2_000

/** The same instant on every thread of the process, in milliseconds, whatever the system's clock is set to. */
export const instantMs = (): number => performance.timeOrigin + performance.now()

/** Throws `unavailable` once the instant has passed. */
export function checkTimeUntil(deadlineMs: number): () => void {
  return () => {
    if (instantMs() <= deadlineMs) return
    throw new Unavailable(
      'Looking through all records took too long. Ask for fewer, or without a count.',
    )
  }
}
