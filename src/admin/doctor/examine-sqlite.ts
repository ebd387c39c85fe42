import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { firstKeyFileOf } from '../../app/first-key.ts'
import { storage } from '../../app/storage.ts'
import type { Environment } from '../../config/settings.ts'
import { OpenError } from '../../db/errors.ts'
import { compareSchema } from '../../db/sqlite/compare-schema.ts'
import { inspectSqlite, servingProcessOf } from '../../db/sqlite/inspect.ts'
import { describeOtherStores } from '../../db/sqlite/list-stores.ts'
import { findLossUnlessEntered } from '../../db/sqlite/locking/lock.ts'
import {
  describeLeft,
  describeUnfinished,
  explainOpening,
} from '../../db/sqlite/locking/prepare.ts'
import { findReplacement, placeOf } from '../../db/sqlite/locking/replace-store.ts'
import { lastMigration, pendingFor, requireSchemaIn, tablesIn } from '../../db/sqlite/migrate.ts'
import { checkBackupOf } from './backup.ts'
import { checkClock } from './clock.ts'
import { describeFiles } from './describe-files.ts'
import { checkDisk } from './disk.ts'
import { checkFiles } from './files.ts'
import { measureDisk } from './measure-disk.ts'
import { describeProblem } from './problem.ts'
import { selectContents } from './queries.ts'
import { checkStore, type StoreFacts } from './store.ts'
import type { NamedChecks, Subject } from './subject.ts'

/** The groups of checks of a store in a file, in the order in which each may rely on those before. */
export function groups({ config, clock, random }: Subject): NamedChecks[] {
  const { environment } = config
  const path = placeOf(config.database.name)
  const folder = dirname(path)
  const nowMs = clock()
  let store: StoreFacts | undefined
  return [
    ['files', async () => checkFiles(await describeFiles(path, firstKeyFileOf(config)))],
    [
      'disk',
      async () =>
        existsSync(folder)
          ? checkDisk(await measureDisk({ environment, folder, path }, random))
          : [],
    ],
    [
      'store',
      async () => {
        store = await lookAtStore(path, { environment, nowMs })
        return checkStore(store)
      },
    ],
    ['clock', () => checkClock({ environment, nowMs, newestMs: store?.contents?.newestMs })],
    ['backup', () => (store ? checkBackupOf(store, nowMs) : [])],
  ]
}

async function lookAtStore(
  path: string,
  { environment, nowMs }: { environment: Environment; nowMs: number },
): Promise<StoreFacts> {
  const facts = { engine: 'sqlite' as const, environment, name: path, others: [], pending: [] }
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined || found.size === 0) {
    const problem = problemWithout(path)
    return { ...facts, state: 'missing', others: describeOtherStores(path), problem }
  }
  if (!found.isFile()) return { ...facts, state: 'unreadable', problem: notAFile(path) }
  const seen = { servedBy: servingProcessOf(path), logBytes: sizeOf(`${path}-wal`) }
  try {
    judgeOnly(path)
    const read = await inspectSqlite(path, async (connection) => {
      const pending = pendingFor(connection, path).map(({ name }) => name)
      if (pending.length === 0) requireSchemaIn(connection, path, { storage })
      const tables = new Set(tablesIn(connection))
      const schema = compareSchema(connection, { last: lastMigration(connection) })
      return { pending, contents: await selectContents(connection, tables, nowMs), schema }
    })
    return { ...facts, ...seen, ...read, state: 'readable' }
  } catch (error) {
    if (!(error instanceof OpenError)) throw error
    return { ...facts, ...seen, state: 'unreadable', problem: describeProblem(error) }
  }
}

/** Throws `damaged` where a start would find that commits are lost. */
function judgeOnly(path: string): void {
  let damage: OpenError | undefined
  try {
    damage = findLossUnlessEntered(path)
  } catch (error) {
    throw explainOpening(path, error)
  }
  if (damage !== undefined) throw damage
}

/** Why a start would not create the store. */
function problemWithout(path: string): string | undefined {
  const folder = dirname(path)
  const left = findReplacement(path)?.message ?? describeLeft(path) ?? describeUnfinished(path)
  if (left !== undefined) return left
  if (existsSync(folder) || folder === resolve('data')) return undefined
  return `The directory ${folder} of the database does not exist. Mount or create it, or correct PETSTORE_DATABASE.`
}

function notAFile(path: string): string {
  return `${path} is not a file. Set PETSTORE_DATABASE to the file of a store.`
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size
}
