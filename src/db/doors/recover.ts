import { chmodSync, copyFileSync, existsSync } from 'node:fs'
import { configurationError, damagedError, type OpenError } from '../errors.ts'
import { giveToOwnerOf } from '../files/give-to-owner.ts'
import { deleteDatabase } from '../files/place-file.ts'
import { placeOf } from '../files/place-of.ts'
import { type LastIds, raiseLastIds, readLastIds, unknownIdsMargin } from '../schema/last-ids.ts'
import { currentSchema, loadMigrations, pendingMigrations } from '../schema/migrate.ts'
import { storeMarkTable } from '../schema/store-mark.ts'
import { type Connection, connect } from '../sqlite/connection.ts'
import { type Salvaged, salvageRows } from '../sqlite/copying/salvage-rows.ts'
import { explainOpening } from '../sqlite/explain-opening.ts'
import { isDamage, unlessDamaged } from '../sqlite/failures.ts'
import { readFileHeader, storeId } from '../sqlite/file-header.ts'
import { enterDatabase } from '../sqlite/locking/lock.ts'
import { replaceStore, undoReplacement } from '../sqlite/locking/replace-store.ts'
import {
  type FileState,
  findLoss,
  hasOtherLog,
  recordedIds,
  standingOf,
} from '../sqlite/loss/find-loss.ts'
import { readFileState } from '../sqlite/loss/read-file-state.ts'
import { forgetStore, type StoreRow, selectStoreRow } from '../sqlite/loss/store-row.ts'
import { appliedIn, migrate, tablesIn } from '../sqlite/migrate.ts'
import type { Storage } from '../storage.ts'
import { explainFilling } from './closed-file.ts'
import { tablesAt } from './tables-at.ts'

/** What was done with a damaged store. */
export type Recovered = {
  /** The damaged database under its new name; its log and its witness are beside it. */
  kept: string
  /** The acknowledged commits that are lost; null where none is, `unknown` where the files do not say. */
  lost: { first: bigint; last: bigint } | 'unknown' | null
  /** By table, where the rows were copied one by one. */
  salvaged: Record<string, Salvaged> | null
  /** The ids by table that were assigned, as the log or the witness tells, and are above those of the new store. */
  lostIds: Record<string, { first: bigint; last: bigint }>
  /** The last ids by table: the next ones are above. */
  lastIds: LastIds
}

type Order = {
  storage: Storage
  nowMs: number
  /** Returns whether the new store may be served. */
  verify(file: string): Promise<boolean>
}

/**
 * Makes a store of what can be read of a damaged one, in the same place; the damaged files are kept under another name.
 * Returns `undefined` where nothing is damaged, and then changes nothing; `undone` where it has put back a store that an
 * interrupted command was replacing, and nothing of that is damaged. The new store is verified and synced before anything
 * is renamed. Throws OpenError.
 */
export async function recoverFiles(
  given: string,
  order: Order,
): Promise<Recovered | 'undone' | undefined> {
  const path = placeOf(given)
  using _lock = enterDatabase(path, 'replace')
  try {
    const isUndone = undoReplacement(path)
    return (await recover(path, order)) ?? (isUndone ? 'undone' : undefined)
  } catch (error) {
    const filling = { file: path, name: path, action: `recover ${path}, which is as it was` }
    throw explainOpening(path, explainFilling(error, filling))
  } finally {
    draftsOf(path).forEach(deleteDatabase)
  }
}

function draftsOf(path: string): [copy: string, salvage: string] {
  return [`${path}.recovering`, `${path}.salvaging`]
}

async function recover(
  path: string,
  { storage, nowMs, verify }: Order,
): Promise<Recovered | undefined> {
  const found = requireStore(path)
  const loss = findLoss(found)
  const [copy, salvage] = draftsOf(path)
  copyDatabase(path, copy, { hasLog: !hasOtherLog(found) })
  const isCopyIntact = await isIntact(copy)
  if (loss === undefined && isCopyIntact) return undefined

  const known = recordedIds(found)
  const salvaged = isCopyIntact ? null : await salvageInto(salvage, copy, { path, known, storage })
  const file = isCopyIntact ? copy : salvage
  const settled = await settle(file, storage, found, { known, isSalvaged: !isCopyIntact })
  if (!(await verify(file))) throw beyondRecovery(path)
  giveToOwnerOf(path, file)
  const kept = replaceStore(path, file, { reason: 'damaged', nowMs }) as string
  return { kept, ...settled, salvaged }
}

function requireStore(path: string): FileState {
  const id = existsSync(path) ? readFileHeader(path)?.id : undefined
  const found =
    id === undefined || id === storeId || id === 0
      ? readFileState(path, { isTolerant: true })
      : undefined
  if (found) return found
  throw configurationError(
    `There is no store at ${path} that could be recovered. Nothing was changed. Check PETSTORE_DATABASE and the current folder, or put its file back.`,
  )
}

/** Copies a database and its log; SQLite reads the log up to the first damage. Deletes what is at `copy`. */
function copyDatabase(path: string, copy: string, { hasLog }: { hasLog: boolean }) {
  deleteDatabase(copy)
  for (const ending of hasLog && existsSync(`${path}-wal`) ? ['', '-wal'] : ['']) {
    copyFileSync(path + ending, copy + ending)
    // What is copied may be read-only.
    chmodSync(copy + ending, 0o600)
  }
}

/** Whether SQLite finds the pages and indexes of a file intact. Copies its log into it. */
async function isIntact(path: string): Promise<boolean> {
  try {
    using connection = connect(path)
    const damages = await connection.findDamage()
    return damages.every(({ isInRows }) => isInRows)
  } catch (error) {
    if (isDamage(error)) return false
    throw error
  }
}

type Salvaging = { path: string; known: LastIds; storage: Storage }

async function salvageInto(file: string, copy: string, { path, known, storage }: Salvaging) {
  deleteDatabase(file)
  using from = connect(copy)
  using to = connect(file, 'create')
  const last = schemaOf(from, path)
  migrate(to, file, { last })
  return salvageRows(from, to, tablesAt(storage, last), known)
}

/** The last migration of a store: a start upgrades what was saved of it. Throws `newerSchema`, `configuration`. */
function schemaOf(from: Connection, path: string): string {
  const tables = unlessDamaged(() => tablesIn(from))
  // Without the schema no row can be read, and a store without rows would be made.
  if (tables === undefined) throw beyondRecovery(path)
  const applied = unlessDamaged(() => appliedIn(from)) ?? []
  pendingMigrations(loadMigrations('sqlite'), applied, path)
  return applied.at(-1) ?? currentSchema()
}

function beyondRecovery(path: string): OpenError {
  return damagedError(`${path} is damaged beyond recovery. Nothing was changed; restore a backup.`)
}

/** Raises the last ids beyond everything that can have been assigned, and begins a new log. */
async function settle(
  file: string,
  { tables, log }: Storage,
  found: FileState,
  { known, isSalvaged }: { known: LastIds; isSalvaged: boolean },
) {
  using connection = connect(file)
  const row = selectStoreRow(connection)
  const lost = lostCommits(row, found, isSalvaged)
  const present = tablesIn(connection)
  const there = tables.filter(({ name }) => present.includes(name))
  const own = await readLastIds(connection, there)
  const lostIds: Recovered['lostIds'] = {}
  for (const [name, id] of Object.entries(own)) {
    const recorded = known[name] ?? 0n
    if (recorded > id) lostIds[name] = { first: id + 1n, last: recorded }
  }
  const ofStore = { tables: there, log: log && present.includes(log.table) ? log : undefined }
  const lastIds = await raiseLastIds(connection, ofStore, {
    known,
    more: lost === null ? 0n : unknownIdsMargin,
  })
  for (const { name, isLocal } of there)
    if (isLocal && name !== storeMarkTable) connection.all(`delete from ${name}`)
  forgetStore(connection)
  return { lost, lostIds, lastIds }
}

function lostCommits(
  row: StoreRow | undefined,
  found: FileState,
  isSalvaged: boolean,
): Recovered['lost'] {
  const { latest } = standingOf(found)
  const isWitnessed = found.witness.some(({ store }) => store === row?.store)
  if (!isWitnessed || !row || !latest) return 'unknown'
  if (row.commits < latest.commits) return { first: row.commits + 1n, last: latest.commits }
  return isSalvaged ? 'unknown' : null
}
