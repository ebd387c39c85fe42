import type { Job } from '../../../db/storage.ts'
import { pruneNext, selectIsDue } from './queries.ts'

/**
 * Deletes the oldest events: those that are too old, and those beyond the number that is kept; but none that has yet to
 * become deliveries of webhooks. The number is counted in steps too, and stored: a start does not count.
 */
export const pruneEvents: Job = {
  name: 'pruneEvents',
  intervalMs: 10_000,
  isBackground: true,
  async runStep(db, nowMs, limits) {
    if (!limits) return false
    const input = { nowMs, limits }
    return (await db.read(selectIsDue, input)) && (await db.write(pruneNext, input))
  },
}
