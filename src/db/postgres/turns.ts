import { ServiceError } from '../../errors.ts'

/** Work that waits for its turn beyond this is refused at once. */
const waitingMax = 1_000

/** Lets so many pieces of work run at once; the others wait in order, and refuses what is too much. */
export function createTurns(atOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0

  function next() {
    const start = waiting.shift()
    if (start) start()
    else running -= 1
  }

  return async (work) => {
    if (waiting.length >= waitingMax) throw tooMuch()
    if (running < atOnce) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    return work().finally(next)
  }
}

/** Refuses work that was not begun. */
export function tooMuch(cause?: unknown): ServiceError {
  const message = 'Too many requests wait for the database. Nothing was stored; try again later.'
  return new ServiceError('unavailable', message, { cause })
}
