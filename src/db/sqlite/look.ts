import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { OpenError } from '../errors.ts'
import { isRegular } from '../files/open-regular.ts'
import type { Looking, StoreFacts } from '../store-facts.ts'
import { checkLibrary } from './check-library.ts'
import { compareSchema } from './compare-schema.ts'
import { type Connection, connect, fileUrl } from './connection.ts'
import { explainOpening } from './explain-opening.ts'
import { failureOf } from './failures.ts'
import { findLossUnlessEntered } from './locking/lock.ts'
import { lockHolderOf } from './locking/lock-holder.ts'
import { describeObstacle, requireUsable } from './locking/prepare.ts'
import { lastMigration, pendingFor, requireSchemaIn, tablesIn } from './migrate.ts'

/** Looks at the store in a file, also beside its service and after a crash. Changes none of its files. */
export async function lookAtFile<Contents>(
  path: string,
  { storage, read }: Looking<Contents>,
): Promise<StoreFacts<Contents>> {
  const facts = { engine: 'sqlite' as const, name: path, pending: [] }
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined || found.size === 0) {
    return { ...facts, state: 'missing', problem: problemWithout(path) }
  }
  const logBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size
  const seen = { ...facts, servedBy: servingProcessOf(path), logBytes }
  try {
    requireUsable(path)
    checkLibrary()
    const loss = findLossUnlessEntered(path)
    if (loss !== undefined) throw loss
    const contents = await readAsItIs(path, async (connection) => {
      const pending = pendingFor(connection, path).map(({ name }) => name)
      if (pending.length === 0) requireSchemaIn(connection, path, { storage })
      const schema = compareSchema(connection, { last: lastMigration(connection) })
      const tables = new Set(tablesIn(connection))
      return { pending, schema, contents: await read(connection, tables) }
    })
    return { ...seen, ...contents, state: 'readable' }
  } catch (error) {
    const problem = explainOpening(path, error)
    if (!(problem instanceof OpenError)) throw problem
    return { ...seen, state: 'unreadable', problem }
  }
}

/** Why a start would not create the store. */
function problemWithout(path: string): string | undefined {
  const folder = dirname(path)
  const left = describeObstacle(path)
  if (left !== undefined) return left
  if (existsSync(folder) || folder === resolve('data')) return undefined
  return `The directory ${folder} of the database does not exist. Mount or create it, or correct PETSTORE_DATABASE.`
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
function servingProcessOf(path: string): string | undefined {
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
