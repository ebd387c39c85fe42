import { performance } from '../../timers.ts'
/** Work that waits: how much of it, and for how long the oldest has, in milliseconds. */
export type Queue = { length: number; oldestMs: number }

/** Several queues as one. */
export function joinQueues(queues: Iterable<Queue>): Queue {
  const joined = { length: 0, oldestMs: 0 }
  for (const { length, oldestMs } of queues) {
    joined.length += length
    joined.oldestMs = Math.max(joined.oldestMs, oldestMs)
  }
  return joined
}

/** A queue whose oldest member came at this instant of `performance.now()`; undefined where there is none. */
export function queueSince(length: number, sinceMs: number | undefined): Queue {
  return { length, oldestMs: sinceMs === undefined ? 0 : performance.now() - sinceMs }
}
