import type { Scan } from '../db.ts'
import { createLimiter } from './limiter.ts'
import { joinQueues, type Queue } from './queue.ts'

type AnyScan = Scan<unknown, unknown>

/** Concurrent scans of snapshots, of any kind. */
const snapshotsAtOnce = 2

/**
 * Limits concurrent scans of each kind, and those of snapshots together; the others wait in order of arrival. Equal scans share
 * the next run, never the running one: a result must not be older than its request. Each waits up to the time limit of
 * `createLimiter`.
 */
export function createSharedScans(
  run: (scan: AnyScan, input: unknown) => Promise<unknown>,
  atOnce: number,
) {
  const kinds = new Map<string, ReturnType<typeof createLimiter>>()
  const snapshots = createLimiter(snapshotsAtOnce)

  function limiterOf({ name, isSnapshot }: Pick<AnyScan, 'name' | 'isSnapshot'>) {
    if (isSnapshot) return snapshots
    const kind = kinds.get(name) ?? createLimiter(atOnce)
    kinds.set(name, kind)
    return kind
  }

  return {
    scan<I, O>(scan: Scan<I, O>, input: I): Promise<O> {
      const shared = () => run(scan as AnyScan, input) as Promise<O>
      return limiterOf(scan).run(shared, scan.key?.(input))
    },
    /** The scans that wait, but for those of snapshots. */
    queue: (): Queue => joinQueues([...kinds.values()].map(({ queue }) => queue())),
  }
}
