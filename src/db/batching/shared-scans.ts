import type { Scan } from '../db.ts'
import { createLimiter, type Task } from './limiter.ts'
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
  const kinds = new Map<string, ReturnType<typeof createKind>>()

  function createKind(scan: AnyScan) {
    const limiter = createLimiter(atOnce)
    const waiting = new Map<string, Task<unknown>>()

    function enter(key: string, input: unknown): Task<unknown> {
      const task = limiter.enter(() => {
        waiting.delete(key)
        return run(scan, input)
      })
      if (task.isWaiting()) waiting.set(key, task)
      return task
    }

    async function enterOrJoin(input: unknown) {
      if (!scan.key) return limiter.run(() => run(scan, input))
      const key = scan.key(input)
      const task = waiting.get(key) ?? enter(key, input)
      try {
        return await task.join()
      } catch (error) {
        if (waiting.get(key) === task && !task.isWaiting()) waiting.delete(key)
        throw error
      }
    }
    return { scan: enterOrJoin, queue: limiter.queue }
  }

  return {
    scan<I, O>(scan: Scan<I, O>, input: I): Promise<O> {
      let kind = kinds.get(scan.name)
      if (!kind) {
        kind = createKind(scan as AnyScan)
        kinds.set(scan.name, kind)
      }
      return kind.scan(input) as Promise<O>
    },
    /** The scans that wait. */
    queue: (): Queue => joinQueues([...kinds.values()].map(({ queue }) => queue())),
  }
}
