import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { OpenError } from '../errors.ts'
import { isRegular } from '../files/open-regular.ts'
import type { Looking, StoreFacts } from '../store-facts.ts'
import { checkLibrary } from './check-library.ts'
import { compareSchema } from './compare-schema.ts'
import { type Connection, connect, fileUrl, type Mode } from './connection.ts'
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

type Read<T> = (connection: Connection) => Promise<T>

async function readAsItIs<T>(path: string, read: Read<T>): Promise<T> {
  // An ordinary connection would create a missing log, and write into the log's index.
  const withLog = existsSync(`${path}-shm`) ? 'sharedIndex' : 'read'
  const mode = existsSync(`${path}-wal`) ? withLog : 'immutable'
  try {
    return await readIn(mode, path, read)
  } catch (error) {
    // A start may have created the log meanwhile, or the index of the log may have no mark to read from.
    if (failureOf(error) === undefined || mode === 'read') throw error
    return readIn('read', path, read)
  }
}

async function readIn<T>(mode: Mode, path: string, read: Read<T>): Promise<T> {
  using connection = connect(path, mode)
  return await read(connection)
}

/** Which process serves a database, for messages; `undefined` where none does. */
function servingProcessOf(path: string): string | undefined {
  const lock = `${path}.lock`
  if (!isRegular(lock)) return undefined
  const holder = lockHolderOf(lock)
  if (holder !== undefined) return `process ${holder}`
  using side = new DatabaseSync(fileUrl(lock, 'existing'), { timeout: 0 })
  try {
    // A start that meets this lock tries again.
    side.exec('begin immediate; rollback')
    return undefined
  } catch (error) {
    if (failureOf(error) === 'busy') return 'another process'
    if (failureOf(error) === 'readonly') return undefined
    throw error
  }
}
