import { accessSync, constants } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { usageError } from '../../config/exit-error.ts'
import {
  type CopiedTable,
  copyStore,
  type Digests,
  differences,
  digestStore,
} from '../../db/copying/copy-store.ts'
import { claimBackup, openClosedFile } from '../../db/doors/closed-file.ts'
import { openStoreReader } from '../../db/doors/open.ts'
import { copiedTables } from '../../db/doors/tables-at.ts'
import { damagedError } from '../../db/errors.ts'
import { deleteDatabase } from '../../db/files/place-file.ts'
import type { OnPostgres } from '../../db/open.ts'
import { closing } from '../../db/opening/closing.ts'
import { restoreMark, type StoreMark } from '../../db/schema/store-mark.ts'
import type { Declared, Storage } from '../../db/storage.ts'
import { deleteUnfinished, fillFile, unfinishedFor } from '../backup/unfinished.ts'
import type { OnProgress } from '../progress.ts'
import { type Result, verifyHeld } from '../verify/verify-store.ts'
import { type Arrival, planArrival, readClaimed } from './arrival.ts'
import type { Restored, RestoreOrder } from './restore-store.ts'

/**
 * Restores a backup to a database of PostgreSQL. The backup is checked and upgraded in a file before anything is changed.
 * An old store is kept in a schema of its own, and put back where the restore fails. Throws OpenError, ExitError.
 */
export async function restorePostgres(
  declared: Declared,
  database: OnPostgres,
  { backup, isLast, replaces, skippedIds, nowMs }: RestoreOrder,
  onProgress: OnProgress,
): Promise<Restored> {
  const { restoreArchive, examinePlace, archiveStore } = await import(
    '../../db/postgres/archive-store.ts'
  )
  const { storage } = declared
  const { state, mark: found, used } = await examinePlace(database, storage)
  if (state === 'store' && !replaces) {
    throw usageError(
      `There is a store at ${database.name}. --replace keeps it in a schema of its own, and puts the backup in its place.`,
    )
  }
  const isEmpty = state !== 'store' && Object.values(used.ids).every((id) => id === 0n)
  const arrival = isLast && isEmpty ? planArrival(backup, Number(found?.id)) : undefined
  if (arrival?.isClaimed) {
    await release(storage, database)
    const read = await readClaimed(declared, backup, onProgress)
    return { ...read, kept: undefined, goesOn: true }
  }
  const file = fileBeside(backup)
  deleteUnfinished(backup)
  const request = { backup, file, used, skippedIds, claim: arrival?.claim }
  const filled = await fillFile(declared, file, { name: 'restore', input: request }, onProgress)
  try {
    const id = arrival ? String(arrival.claim) : restoreMark
    const mark = { state: 'arriving', id, peer: backup, markedAt: nowMs } as const
    const kept = state === 'store' ? await archiveStore(database, storage, mark) : undefined
    try {
      const results = await moveIn(storage, { file, database, mark, arrival }, onProgress)
      const goesOn = arrival !== undefined
      return { ...filled, results, kept: kept && `the schema ${kept}`, goesOn }
    } catch (error) {
      if (kept !== undefined) await restoreArchive(database, storage, kept)
      throw error
    }
  } finally {
    deleteDatabase(file)
  }
}

/** The unfinished file: beside the backup, or in the folder for temporary files where that cannot be written. */
function fileBeside(backup: string): string {
  try {
    accessSync(dirname(backup), constants.W_OK)
    return unfinishedFor(backup)
  } catch {
    return unfinishedFor(join(tmpdir(), basename(backup)))
  }
}

type MovingIn = {
  file: string
  database: OnPostgres
  mark: StoreMark
  arrival: Arrival | undefined
}

/** Copies a store from a file to a database, compares the two, and verifies the copy. Services may use it afterwards. */
async function moveIn(
  storage: Storage,
  { file, database, mark, arrival }: MovingIn,
  onProgress: OnProgress,
): Promise<Result[]> {
  const { holdPostgresTarget } = await import('../../db/postgres/hold.ts')
  await using target = closing(await holdPostgresTarget(database, storage))
  using source = openClosedFile(file)
  const tables = copiedTables(storage, { reason: arrival ? 'move' : 'copy' })
  const copied = await copyStore(target.fill(mark), source, tables, onProgress)
  await requireEqual(database, tables, copied, onProgress)
  const results = await verifyHeld(storage, database, onProgress)
  if (arrival) await claimBackup(mark.peer, arrival.claim)
  await target.release()
  return results
}

/** Reads every row of a copy again. Throws `damaged` where its digests are others. */
async function requireEqual(
  database: OnPostgres,
  tables: readonly CopiedTable[],
  copied: Digests,
  onProgress: OnProgress,
) {
  await using reader = closing(await openStoreReader(database))
  const different = differences(copied, await digestStore(reader, tables, onProgress))
  if (different.length === 0) return
  throw damagedError(
    `What ${database.name} has of ${different.join(', ')} differs from what was copied. Restore the backup again.`,
  )
}

/** Completes a restore that was interrupted when the backup had been claimed. */
async function release(storage: Storage, database: OnPostgres) {
  const { holdPostgresTarget } = await import('../../db/postgres/hold.ts')
  await using target = closing(await holdPostgresTarget(database, storage))
  await target.release()
}
