import type { Scan } from '../db.ts'
import { createLimiter } from './limiter.ts'

type AnyScan = Scan<unknown, unknown>

/**
 * Scans take turns: of each kind so many run at once, the others in order of arrival, and none waits long (`createLimiter`).
 * Equal ones share the next run, never the running one: an answer must not be older than its request.
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
        // Refused before its turn came.
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
