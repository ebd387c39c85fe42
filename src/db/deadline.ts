import { performance } from '../timers.ts'
import { Unavailable } from './errors.ts'

/** How long a scan of a request may run, from its start: waiting does not count. */
const scanMaxMs = 2_000
/** The same for a scan of a snapshot. Meanwhile SQLite's log grows, and PostgreSQL removes no old rows. */
const snapshotMaxMs = 60_000

/** The instant until which a scan that starts now may run. */
export function deadlineOf({ isSnapshot }: { isSnapshot?: true }): number {
  return instantMs() + (isSnapshot ? snapshotMaxMs : scanMaxMs)
}

/** A monotonic instant in milliseconds, equal on all threads of the process. */
export const instantMs = (): number => performance.timeOrigin + performance.now()

/** Throws `unavailable` once the instant has passed. */
export function checkTimeUntil(deadlineMs: number): () => void {
  return () => {
    if (instantMs() <= deadlineMs) return
    throw new Unavailable(
      'Reading all matching records took too long. Narrow the filter, or omit the count.',
    )
  }
}
