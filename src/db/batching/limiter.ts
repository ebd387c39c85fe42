import { Unavailable } from '../errors.ts'
import { type Queue, queueSince } from './queue.ts'

/** With this many tasks waiting, further tasks are refused. */
const waitingMax = 1_000
/** A client that has waited this long for a task to start is refused: it may have given up. */
const waitMaxMs = 1_500

/** A task that runs now or waits. Without clients that wait for it, it is not started. */
export type Task<T> = {
  isWaiting(): boolean
  /** The result, for one more client. Throws `Unavailable` where the task does not start in time for this client. */
  join(): Promise<T>
}

/** Limits concurrent tasks; others wait in order, up to a time limit and a number, and are refused beyond. */
export function createLimiter(atOnce: number) {
  const waiting = new Set<{ sinceMs: number; start(): void }>()
  let running = 0

  function next() {
    const [first] = waiting
    if (!first) {
      running -= 1
      return
    }
    waiting.delete(first)
    first.start()
  }

  /** Starts a task, or queues it. Throws `Unavailable` where too many wait. */
  function enter<T>(work: () => Promise<T>): Task<T> {
    if (waiting.size >= waitingMax) throw overloaded()
    if (running < atOnce) {
      running += 1
      const result = work().finally(next)
      return { isWaiting: () => false, join: () => result }
    }
    const { promise: result, resolve } = Promise.withResolvers<T>()
    const clients = new Set<NodeJS.Timeout>()
    const place = {
      sinceMs: performance.now(),
      start() {
        for (const late of clients) clearTimeout(late)
        resolve(work().finally(next))
      },
    }
    waiting.add(place)
    return {
      isWaiting: () => waiting.has(place),
      join: () =>
        new Promise((settle, reject) => {
          const late = setTimeout(() => {
            clients.delete(late)
            if (clients.size === 0) waiting.delete(place)
            reject(overloaded())
          }, waitMaxMs)
          clients.add(late)
          result.then(settle, reject)
        }),
    }
  }

  return {
    enter,
    /** The tasks that wait. */
    queue(): Queue {
      const [oldest] = waiting
      return queueSince(waiting.size, oldest?.sinceMs)
    },
    /** Runs a task of one client. */
    run: async <T>(work: () => Promise<T>): Promise<T> => enter(work).join(),
  }
}

/** The error for a task that was not started. */
export function overloaded(cause?: unknown): Unavailable {
  const message = 'Too many requests wait for the database. Nothing was stored; try again later.'
  return new Unavailable(message, { cause })
}
