import { timers } from '../timers.ts'

/** Of equal lines, as many are written in a period. */
const linesMax = 10
const periodMs = 60_000
/** With as many different lines in a period, others are all written. */
const textsMax = 100

/** Bounds how often a line is written; at the end of a period the rest is told as a count. */
export function createCounted(tell: (text: string, repeated: number) => void) {
  const counts = new Map<string, number>()

  function end(text: string) {
    const repeated = (counts.get(text) ?? 0) - linesMax
    counts.delete(text)
    if (repeated > 0) tell(text, repeated)
  }

  return {
    /** Whether this line is to be written; else it is counted. */
    admit(text: string): boolean {
      const count = (counts.get(text) ?? 0) + 1
      if (count === 1) {
        if (counts.size >= textsMax) return true
        timers.setTimeout(end, periodMs, text).unref()
      }
      counts.set(text, count)
      return count <= linesMax
    },
  }
}
