import { existsSync, rmSync } from 'node:fs'
import { OpenError } from '../errors.ts'
import { giveToOwnerOf } from '../files/give-to-owner.ts'
import { sideEndings } from '../files/place-file.ts'
import { placeOf } from '../files/place-of.ts'
import { idAbove } from '../last-ids.ts'
import { currentSchema, loadMigrations, pendingMigrations } from '../migrate.ts'
import { checkLibrary } from '../sqlite/check-library.ts'
import { type Connection, connect } from '../sqlite/connection.ts'
import { type Salvaged, salvageRows } from '../sqlite/copying/salvage-rows.ts'
import { isDamage } from '../sqlite/failures.ts'
import { readFileHeader, storeId } from '../sqlite/file-header.ts'
import { holdAlone } from '../sqlite/locking/lock.ts'
import { explainOpening } from '../sqlite/locking/prepare.ts'
import { replaceStore, undoReplacement } from '../sqlite/locking/replace-store.ts'
import { copyDatabase, isIntact } from '../sqlite/loss/copy-database.ts'
import { type FileState, findLoss, hasOtherLog, standingOf } from '../sqlite/loss/find-loss.ts'
import { readFileState } from '../sqlite/loss/read-file-state.ts'
import { recordedIds, unknownIdsMargin } from '../sqlite/loss/recorded-ids.ts'
import { continueAfter, selectStoreRow } from '../sqlite/loss/store-row.ts'
import { lastMigration, migrate, tablesIn } from '../sqlite/migrate.ts'
import type { Storage } from '../storage.ts'
import { transferMarkTable } from '../transfer-mark.ts'
import { explainFilling } from './explain-filling.ts'
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
  lastIds: Record<string, bigint>
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
  checkLibrary()
  const lock = holdAlone(path)
  try {
    const isUndone = undoReplacement(path)
    return (await recover(path, order)) ?? (isUndone ? 'undone' : undefined)
  } catch (error) {
    const filling = { file: path, name: path, action: `recover ${path}, which is as it was` }
    throw explainOpening(path, explainFilling(error, filling))
  } finally {
    for (const ending of ['', ...sideEndings]) {
      for (const draft of draftsOf(path)) rmSync(draft + ending, { force: true })
    }
    lock.release()
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
  throw new OpenError(
    'configuration',
    `There is no store at ${path} that could be recovered. Nothing was changed. Put its file back, or restore a backup: petstore restore FILE --replace.`,
  )
}

type Salvaging = { path: string; known: Record<string, bigint>; storage: Storage }

async function salvageInto(file: string, copy: string, { path, known, storage }: Salvaging) {
  for (const ending of ['', ...sideEndings]) rmSync(file + ending, { force: true })
  const from = connect(copy)
  const to = connect(file, 'create')
  try {
    requireReadable(from, path)
    const last = schemaOf(from, path)
    await migrate(to, file, { storage, last })
    const present = tablesIn(to)
    const ofPlace = storage.tables.filter((one) => one.isLocal && present.includes(one.name))
    return salvageRows(from, to, [...tablesAt(storage, last), ...ofPlace], known)
  } finally {
    from.close()
    to.close()
  }
}

/** Without the schema no row can be read, and a store without rows would be made. */
function requireReadable(from: Connection, path: string) {
  try {
    tablesIn(from)
  } catch (error) {
    throw isDamage(error) ? beyondRecovery(path) : error
  }
}

/** The last migration of a store: a start upgrades what was saved of it. Throws `newerSchema`. */
function schemaOf(from: Connection, path: string): string {
  try {
    const last = lastMigration(from) ?? currentSchema()
    pendingMigrations(loadMigrations('sqlite'), [last], path)
    return last
  } catch (error) {
    if (isDamage(error)) return currentSchema()
    throw error
  }
}

function beyondRecovery(path: string): OpenError {
  return new OpenError(
    'damaged',
    `${path} is damaged beyond recovery. Nothing was changed; restore a backup.`,
  )
}

/** Raises the last ids beyond everything that can have been assigned, and the number of commits; begins a new log. */
async function settle(
  file: string,
  { tables, log }: Storage,
  found: FileState,
  { known, isSalvaged }: { known: Record<string, bigint>; isSalvaged: boolean },
) {
  const { latest } = standingOf(found)
  const connection = connect(file)
  try {
    const row = selectStoreRow(connection)
    const isWitnessed = found.witness.some(({ store }) => store === row?.store)
    const isComplete =
      isWitnessed &&
      !isSalvaged &&
      latest !== undefined &&
      row !== undefined &&
      row.commits >= latest.commits
    const lost = isComplete
      ? null
      : row && latest && isWitnessed && row.commits < latest.commits
        ? { first: row.commits + 1n, last: latest.commits }
        : ('unknown' as const)
    const lostIds: Recovered['lostIds'] = {}
    const lastIds: Record<string, bigint> = {}
    const present = tablesIn(connection)
    const there = tables.filter(({ name }) => present.includes(name))
    const numbered = there.filter(({ assignsIds }) => assignsIds)
    for (const { name } of numbered) {
      const own = await connection.lastId(name)
      const told = known[name] ?? 0n
      if (told > own) lostIds[name] = { first: own + 1n, last: told }
      const highest = told > own ? told : own
      await connection.skipIds(name, idAbove(highest, isComplete ? 0n : unknownIdsMargin))
    }
    if (log && present.includes(log.table)) await log.restart(connection)
    for (const { name, isLocal } of there)
      if (isLocal && name !== transferMarkTable) await connection.all(`delete from ${name}`)
    for (const { name } of numbered) lastIds[name] = await connection.lastId(name)
    continueAfter(connection, (latest?.commits ?? row?.commits ?? 0n) + 1n)
    return { lost, lostIds, lastIds }
  } finally {
    connection.close()
  }
}
