import { Unavailable } from '../errors.ts'

/** With this many tasks waiting, further tasks are refused. */
const waitingMax = 1_000
/** A task that has waited this long is refused: its client may have given up. */
const waitMaxMs = 1_500

type Waiting = { start: () => void; late: NodeJS.Timeout }

/** Limits concurrent tasks; others wait in order, up to a time limit and a number, and are refused beyond. */
export function createLimiter(atOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting = new Set<Waiting>()
  let running = 0

  function next() {
    const [first] = waiting
    if (!first) {
      running -= 1
      return
    }
    waiting.delete(first)
    clearTimeout(first.late)
    first.start()
  }

  function wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        waiting.delete(entry)
        reject(overloaded())
      }, waitMaxMs)
      const entry = { start: resolve, late }
      waiting.add(entry)
    })
  }

  return async (work) => {
    if (waiting.size >= waitingMax) throw overloaded()
    if (running < atOnce) running += 1
    else await wait()
    return work().finally(next)
  }
}

/** The error for a task that was not started. */
export function overloaded(cause?: unknown): Unavailable {
  const message = 'Too many requests wait for the database. Nothing was stored; try again later.'
  return new Unavailable(message, { cause })
}
