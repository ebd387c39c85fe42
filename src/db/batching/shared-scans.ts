import type { Scan } from '../db.ts'
import { createLimiter } from './limiter.ts'
import { joinQueues, type Queue } from './queue.ts'

type AnyScan = Scan<unknown, unknown>

/**
 * Limits concurrent scans of each kind; the others wait in order of arrival. Equal scans share the next run, never the
 * running one: a result must not be older than its request. Each waits up to the time limit of `createLimiter`.
 */
export function createSharedScans(
  run: (scan: AnyScan, input: unknown) => Promise<unknown>,
  atOnce: number,
) {
  const kinds = new Map<string, ReturnType<typeof createLimiter>>()
  return {
    scan<I, O>(scan: Scan<I, O>, input: I): Promise<O> {
      let kind = kinds.get(scan.name)
      if (!kind) {
        kind = createLimiter(atOnce)
        kinds.set(scan.name, kind)
      }
      const shared = () => run(scan as AnyScan, input) as Promise<O>
      return kind.run(shared, scan.key?.(input))
    },
    /** The scans that wait. */
    queue: (): Queue => joinQueues([...kinds.values()].map(({ queue }) => queue())),
  }
}
