import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../src/db/db.ts'
import { Unavailable } from '../../src/db/errors.ts'

// A busy machine reaches lock timeouts and full queues. The service then says that nothing was stored, and that the
// request may be repeated: a test of something else repeats it.

const triesMax = 100
const pauseMs = 50
const again = /try again later\./i
const unknown = /it is stored or it is not/

/** Repeats the work while the result matches, at most a hundred times; returns the last result. */
export async function repeatWhile<T>(
  work: () => Promise<T>,
  isAgain: (result: T) => boolean,
): Promise<T> {
  // Counted, not timed: some tests control the clock.
  for (let tries = 1; ; tries++) {
    const result = await work()
    if (!isAgain(result) || tries === triesMax) return result
    await sleep(pauseMs)
  }
}

/** Sends a request again while the response is a 503 that does not say that it may be stored. */
export function repeatRefused<T extends { status: number; text: string }>(
  send: () => Promise<T>,
): Promise<T> {
  return repeatWhile(send, ({ status, text }) => status === 503 && !unknown.test(text))
}

const confirmTriesMax = 5

/** Sends a request again, a few times, while keys cannot be confirmed: on a busy machine that takes longer than it waits. */
export async function repeatUnconfirmed<T extends { statusCode: number; payload: string }>(
  send: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const response = await send()
    const isUnconfirmed =
      response.statusCode === 503 && response.payload.includes('keys cannot be confirmed')
    if (!isUnconfirmed || tries === confirmTriesMax) return response
  }
}

/** Repeats a database call while it is unavailable and nothing was stored. Throws other errors. */
export async function repeatUnavailable<T>(work: () => Promise<T>): Promise<T> {
  const attempt = () =>
    work().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
  const isAgain = (result: { value: T } | { error: unknown }) =>
    'error' in result && result.error instanceof Unavailable && again.test(result.error.message)
  const result = await repeatWhile(attempt, isAgain)
  if ('error' in result) throw result.error
  return result.value
}

/** From now on this database repeats what `repeatUnavailable` repeats. */
export function repeatInDatabase(db: Db): void {
  const { read, scan, write } = db
  Object.assign(db, {
    read: (...args: Parameters<Db['read']>) => repeatUnavailable(() => read(...args)),
    scan: (...args: Parameters<Db['scan']>) => repeatUnavailable(() => scan(...args)),
    write: (...args: Parameters<Db['write']>) => repeatUnavailable(() => write(...args)),
  })
}
