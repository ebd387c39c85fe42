import type { Scan } from '../db.ts'
import { createLimiter } from './limiter.ts'

type AnyScan = Scan<unknown, unknown>

/**
 * Limits concurrent scans of each kind; the others wait in order of arrival, up to a time limit (`createLimiter`).
 * Equal scans share the next run, never the running one: a result must not be older than its request.
 */
export function createSharedScans(
  run: (scan: AnyScan, input: unknown) => Promise<unknown>,
  atOnce: number,
) {
  const kinds = new Map<string, ReturnType<typeof createKind>>()

  function createKind(scan: AnyScan) {
    const takeTurn = createLimiter(atOnce)
    const waiting = new Map<string, Promise<unknown>>()
    return (input: unknown) => {
      if (!scan.key) return takeTurn(() => run(scan, input))
      const key = scan.key(input)
      const shared = waiting.get(key)
      if (shared) return shared
      let hasBegun = false
      const turn = takeTurn(() => {
        hasBegun = true
        waiting.delete(key)
        return run(scan, input)
      })
      if (!hasBegun) {
        waiting.set(key, turn)
        // Refused while it waited.
        turn.catch(() => waiting.get(key) === turn && waiting.delete(key))
      }
      return turn
    }
  }

  return {
    scan<I, O>(scan: Scan<I, O>, input: I): Promise<O> {
      let kind = kinds.get(scan.name)
      if (!kind) {
        kind = createKind(scan as AnyScan)
        kinds.set(scan.name, kind)
      }
      return kind(input) as Promise<O>
    },
  }
}
