import { setTimeout as sleep } from 'node:timers/promises'
import { Unavailable } from '../../src/db/errors.ts'
import type { Db } from '../../src/db/seam.ts'

const triesMax = 100
const pauseMs = 50

/** The database did nothing and says to try again: a machine that is busy elsewhere meets that on PostgreSQL. */
function isRepeatable(error: unknown): boolean {
  return error instanceof Unavailable && /try again later\.$/i.test(error.message)
}

/** Does it again, a hundred times at most, while the database says that nothing was done and that it may be repeated. */
export async function repeatUnavailable<T>(work: () => Promise<T>): Promise<T> {
  // No clock is asked: some tests have it in their hand.
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!isRepeatable(error) || tries === triesMax) throw error
      await sleep(pauseMs)
    }
  }
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
