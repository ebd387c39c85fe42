import { DatabaseSync } from 'node:sqlite'
import { ExitError } from '../../exit.ts'
import { failureOf } from './failures.ts'

export type Lock = { release(): void }

/**
 * Takes the right to serve a database file: an exclusive lock on a side database, which the operating
 * system drops with its process, however it dies. Throws `alreadyServed`.
 */
export function takeServingLock(path: string): Lock {
  const side = new DatabaseSync(`${path}.lock`, { timeout: 0 })
  try {
    side.exec('pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    side.close()
    if (failureOf(error) !== 'busy') throw error
    throw new ExitError('alreadyServed', `${path} is being served by another process.`)
  }
  return { release: () => side.close() }
}
