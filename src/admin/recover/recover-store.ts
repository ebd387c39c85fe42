import { existsSync, rmSync } from 'node:fs'
import { storage } from '../../app/storage.ts'
import { OpenError } from '../../db/errors.ts'
import { applicationIdOf, storeId } from '../../db/sqlite/application-id.ts'
import { checkLibrary, connect } from '../../db/sqlite/connection.ts'
import { copyDatabase, isIntact } from '../../db/sqlite/copy-database.ts'
import { giveToOwnerOf } from '../../db/sqlite/give-to-owner.ts'
import { holdAlone } from '../../db/sqlite/lock.ts'
import { type FileState, findLoss, otherLog, standingOf } from '../../db/sqlite/loss/find-loss.ts'
import { readFileState } from '../../db/sqlite/loss/read-file-state.ts'
import { continueAfter, selectStoreRow } from '../../db/sqlite/loss/store-row.ts'
import { migrate, pendingFor } from '../../db/sqlite/migrate.ts'
import { explainOpening } from '../../db/sqlite/prepare.ts'
import { placeOf, replaceStore, undoReplacement } from '../../db/sqlite/replace-store.ts'
import { type Salvaged, salvageRows } from '../../db/sqlite/salvage-rows.ts'
import { verifyFile } from '../backup/check-backup.ts'
import { explainFilling } from '../backup/explain-filling.ts'
import type { Result } from '../verify/verify-store.ts'
import { toldIds, untoldIdsMax } from './told-ids.ts'

/** What was done with a damaged store. */
export type Recovered = {
  /** The damaged database under its new name; its log and its witness are beside it. */
  kept: string
  /** Flipped bits of the log that were corrected. */
  mended: number
  /** The acknowledged commits that are lost; null where none is, `unknown` where the files do not say. */
  lost: { first: bigint; last: bigint } | 'unknown' | null
  /** By table, where the rows were copied one by one. */
  salvaged: Record<string, Salvaged> | null
  /** The ids by table that were assigned, as the log or the witness tells, and are above those of the new store. */
  lostIds: Record<string, { first: bigint; last: bigint }>
  /** The last ids by table: the next ones are above. */
  lastIds: Record<string, bigint>
  results: readonly Result[]
}

/**
 * Makes a store of what can be read of a damaged one, in the same place; the damaged files are kept under another name.
 * Returns `undefined` where nothing is damaged, and then changes nothing; `undone` where it has put back a store that an
 * interrupted command was replacing, and nothing of that is damaged. The new store is verified and synced before anything
 * is renamed. Throws OpenError.
 */
export async function recoverStore(
  given: string,
  nowMs: number,
): Promise<Recovered | 'undone' | undefined> {
  const path = placeOf(given)
  checkLibrary()
  const lock = holdAlone(path)
  try {
    const isUndone = undoReplacement(path)
    return (await recover(path, nowMs)) ?? (isUndone ? 'undone' : undefined)
  } catch (error) {
    const filling = { file: path, name: path, action: `recover ${path}, which is as it was` }
    throw explainOpening(path, explainFilling(error, filling))
  } finally {
    for (const ending of ['', '-wal', '-shm', '-journal']) {
      for (const draft of draftsOf(path)) rmSync(draft + ending, { force: true })
    }
    lock.release()
  }
}

function draftsOf(path: string): [copy: string, salvage: string] {
  return [`${path}.recovering`, `${path}.salvaging`]
}

async function recover(path: string, nowMs: number): Promise<Recovered | undefined> {
  const found = requireStore(path)
  const loss = findLoss(found)
  const [copy, salvage] = draftsOf(path)
  const draft = await chooseCopy(found, copy, loss !== undefined)
  if (loss === undefined && draft !== undefined) return undefined

  const { latest } = standingOf(found)
  const known = toldIds(found)
  const salvaged = draft ? null : await salvageInto(salvage, copy, known)
  const file = draft ? copy : salvage
  const { lost, lostIds, lastIds } = await settle(file, {
    found,
    latest,
    known,
    isSalvaged: salvaged !== null,
  })
  const results = await verifyFile(file, { isCurrent: isCurrent(file) }, () => undefined)
  if (results.some(({ findings }) => findings.some((one) => one.forbidsRepairs))) {
    throw new OpenError(
      'damaged',
      `${path} is damaged beyond recovery. Nothing was changed; restore a backup.`,
    )
  }
  if (existsSync(path)) giveToOwnerOf(path, file)
  const kept = replaceStore(path, file, { reason: 'damaged', nowMs }) as string
  return { kept, mended: draft?.mended ?? 0, lost, lostIds, salvaged, lastIds, results }
}

function requireStore(path: string): FileState {
  const id = existsSync(path) ? applicationIdOf(path) : undefined
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

/** Copies as much as is intact: with all of the log, or with what SQLite would take of it. */
async function chooseCopy(found: FileState, copy: string, isLossy: boolean) {
  const { path, pageSize } = found
  const extents = otherLog(found)
    ? (['none'] as const)
    : isLossy
      ? (['all', 'sound'] as const)
      : (['sound'] as const)
  for (const extent of extents) {
    const applied = copyDatabase({ path, copy, pageSize, extent })
    if (await isIntact(copy)) return applied
  }
  if (extents.length > 1 || extents[0] === 'sound')
    copyDatabase({ path, copy, pageSize, extent: 'all' })
  return undefined
}

async function salvageInto(file: string, copy: string, known: Record<string, bigint>) {
  for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true })
  const from = connect(copy)
  const to = connect(file, 'create')
  try {
    await migrate(to, file, { storage })
    return salvageRows(from, to, storage.tables, known)
  } finally {
    from.close()
    to.close()
  }
}

type Settling = {
  found: FileState
  latest: ReturnType<typeof standingOf>['latest']
  known: Record<string, bigint>
  isSalvaged: boolean
}

/** Raises the last ids beyond everything that can have been assigned, and the number of commits. */
async function settle(file: string, { found, latest, known, isSalvaged }: Settling) {
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
    for (const { name, assignsIds } of storage.tables) {
      if (!assignsIds) continue
      const own = await connection.lastId(name)
      const told = known[name] ?? 0n
      if (told > own) lostIds[name] = { first: own + 1n, last: told }
      const highest = told > own ? told : own
      lastIds[name] = highest + (isComplete ? 0n : untoldIdsMax)
      await connection.skipIds(name, lastIds[name])
    }
    continueAfter(connection, (latest?.commits ?? row?.commits ?? 0n) + 1n)
    return { lost, lostIds, lastIds }
  } finally {
    connection.close()
  }
}

function isCurrent(file: string): boolean {
  const connection = connect(file, 'immutable')
  try {
    return pendingFor(connection, file).length === 0
  } finally {
    connection.close()
  }
}
