import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isRegular } from '../files/open-regular.ts'
import { type Connection, checkLibrary, connect, fileUrl } from './connection.ts'
import { failureOf } from './failures.ts'
import { lockHolderOf } from './locking/lock-holder.ts'
import { explainOpening } from './locking/prepare.ts'

/**
 * Reads a database without changing any of its files, also beside its service and after a crash. Throws OpenError.
 */
export async function inspectSqlite<T>(
  path: string,
  read: (connection: Connection) => Promise<T>,
): Promise<T> {
  try {
    checkLibrary()
    return await readAsItIs(path, read)
  } catch (error) {
    throw explainOpening(path, error)
  }
}

async function readAsItIs<T>(path: string, read: (connection: Connection) => Promise<T>) {
  const modes = modesFor(path)
  for (const [index, mode] of modes.entries()) {
    let connection: Connection | undefined
    try {
      connection = connect(path, mode)
      return await read(connection)
    } catch (error) {
      // A start may have created the log meanwhile, or the index of the log may have no mark to read from.
      if (failureOf(error) === undefined || index === modes.length - 1) throw error
    } finally {
      connection?.close()
    }
  }
  throw new Error('There is no way to read the database.')
}

/** An ordinary connection would create a missing log, and write into the log's index. */
function modesFor(path: string) {
  if (!existsSync(`${path}-wal`)) return ['immutable', 'read'] as const
  return existsSync(`${path}-shm`) ? (['sharedIndex', 'read'] as const) : (['read'] as const)
}

/** Which process serves a database, for messages; `undefined` where none does. */
export function servingProcessOf(path: string): string | undefined {
  const lock = `${path}.lock`
  if (!isRegular(lock)) return undefined
  const holder = lockHolderOf(lock)
  if (holder !== undefined) return `process ${holder}`
  const side = new DatabaseSync(fileUrl(lock, 'existing'), { timeout: 0 })
  try {
    // A start that meets this lock tries again.
    side.exec('begin immediate; rollback')
    return undefined
  } catch (error) {
    if (failureOf(error) === 'busy') return 'another process'
    if (failureOf(error) === 'readonly') return undefined
    throw error
  } finally {
    side.close()
  }
}
