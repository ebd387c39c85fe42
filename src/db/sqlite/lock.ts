import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { OpenError } from '../errors.ts'
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
    throw new OpenError('alreadyServed', `${path} is being served by another process.`)
  }
  return { release: () => side.close() }
}

/** Commands that use the database may take this long before a start gives up. */
const commandsMaxMs = 5_000

/**
 * Throws SQLite's error where another process has this file open, by whatever name: each holds a lock on the file itself
 * for as long, so that none has it where this one can lock it alone.
 */
export function refuseOpenElsewhere(path: string): void {
  if (!existsSync(path)) return
  const alone = new DatabaseSync(path, { timeout: commandsMaxMs })
  try {
    alone.exec('pragma locking_mode = exclusive; select count(*) from sqlite_schema')
  } finally {
    alone.close()
  }
}
