import { performance, timers } from '../../timers.ts'
import { Unavailable } from '../errors.ts'
import { type Queue, queueSince } from './queue.ts'

/** With this many tasks waiting, further tasks are refused. */
const waitingMax = 1_000
/** A client that has waited this long for a task to start is refused: it may have given up. */
const waitMaxMs = 1_500

/** A task that waits, and a timeout for each client that waits for it. */
type Waiting = {
  sinceMs: number
  late: Set<NodeJS.Timeout>
  result: Promise<unknown>
  start(): void
}

/**
 * Limits concurrent tasks; others wait in order, up to a time limit and a number, and are refused beyond. A task that no
 * client waits for any more is not started.
 */
export function createLimiter(atOnce: number) {
  const waiting = new Map<unknown, Waiting>()
  let running = 0

  function next() {
    const [first] = waiting.values()
    if (first) first.start()
    else running -= 1
  }

  function enqueue<T>(key: unknown, work: () => Promise<T>): Waiting {
    if (waiting.size >= waitingMax) throw overloaded()
    const { promise: result, resolve } = Promise.withResolvers<T>()
    const task: Waiting = {
      sinceMs: performance.now(),
      late: new Set(),
      result,
      start() {
        waiting.delete(key)
        for (const timeout of task.late) timers.clearTimeout(timeout)
        resolve(work().finally(next))
      },
    }
    waiting.set(key, task)
    return task
  }

  return {
    /** Runs a task; with a key it joins the waiting task of the same key. */
    async run<T>(work: () => Promise<T>, key: unknown = Symbol()): Promise<T> {
      if (running < atOnce) {
        running += 1
        return work().finally(next)
      }
      const task = waiting.get(key) ?? enqueue(key, work)
      return new Promise((resolve, reject) => {
        const timeout = timers.setTimeout(() => {
          task.late.delete(timeout)
          if (task.late.size === 0) waiting.delete(key)
          reject(overloaded())
        }, waitMaxMs)
        task.late.add(timeout)
        task.result.then(resolve as (result: unknown) => void, reject)
      })
    },
    /** The tasks that wait. */
    queue(): Queue {
      const [oldest] = waiting.values()
      return queueSince(waiting.size, oldest?.sinceMs)
    },
  }
}

/** The error for a task that was not started. */
export function overloaded(cause?: unknown): Unavailable {
  const message = 'Too many requests wait for the database. Nothing was stored; try again later.'
  return new Unavailable(message, { cause })
}
