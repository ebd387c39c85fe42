import { accessSync, constants } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { usageError } from '../../config/exit-error.ts'
import { closing } from '../../db/closing.ts'
import { copyStore } from '../../db/copying/copy-store.ts'
import { openClosedFile } from '../../db/doors/closed-file.ts'
import { holdTarget } from '../../db/doors/open.ts'
import { copiedTables } from '../../db/doors/tables-at.ts'
import { deleteDatabase } from '../../db/files/place-file.ts'
import type { DatabaseAddress } from '../../db/open.ts'
import type { Declared, Storage } from '../../db/storage.ts'
import { restoreMark, type TransferMark } from '../../db/transfer-mark.ts'
import { deleteUnfinished, fillFile, unfinishedFor } from '../backup/unfinished.ts'
import type { OnProgress } from '../progress.ts'
import { requireEqual } from '../transfer/transfer-store.ts'
import { type Result, verifyHeld } from '../verify/verify-store.ts'
import type { Restored, RestoreOrder } from './restore-store.ts'

type OnPostgres = Extract<DatabaseAddress, { engine: 'postgres' }>

/**
 * Restores a backup to a database of PostgreSQL. The backup is checked and upgraded in a file before anything is changed.
 * An old store is kept in a schema of its own, and put back where the restore fails. Throws OpenError, ExitError.
 */
export async function restorePostgres(
  declared: Declared,
  database: OnPostgres,
  { backup, replaces, skippedIds, nowMs }: RestoreOrder,
  onProgress: OnProgress,
): Promise<Restored> {
  const { bringStoreBack, examinePlace, keepStoreAside } = await import(
    '../../db/postgres/keep-aside.ts'
  )
  const { storage } = declared
  const place = await examinePlace(database, storage)
  if (place.state === 'store' && !replaces) {
    throw usageError(
      `There is a store at ${database.name}. --replace keeps it in a schema of its own, and puts the backup in its place.`,
    )
  }
  const file = fileBeside(backup)
  deleteUnfinished(backup)
  const request = { backup, file, usedIds: place.lastIds, skippedIds: skippedIds ?? 0n }
  const filled = await fillFile(declared, file, { name: 'restore', input: request }, onProgress)
  try {
    const mark = {
      state: 'arriving',
      transfer: restoreMark,
      peer: backup,
      markedAt: nowMs,
    } as const
    const kept = place.state === 'store' ? await keepStoreAside(database, storage, mark) : undefined
    try {
      const results = await moveIn(storage, { file, database, mark }, onProgress)
      const idSource = Object.keys(place.lastIds).length > 0 ? 'store' : 'none'
      return { ...filled, results, kept: kept && `the schema ${kept}`, idSource }
    } catch (error) {
      if (kept !== undefined) await bringStoreBack(database, storage, kept)
      throw error
    }
  } finally {
    deleteDatabase(file)
  }
}

/** The unfinished file: beside the backup, or in the folder for temporary files where that cannot be written. */
export function fileBeside(backup: string): string {
  try {
    accessSync(dirname(backup), constants.W_OK)
    return unfinishedFor(backup)
  } catch {
    return unfinishedFor(join(tmpdir(), basename(backup)))
  }
}

/** Copies a store from a file to a database, compares the two, and verifies the copy. Services may use it afterwards. */
async function moveIn(
  storage: Storage,
  { file, database, mark }: { file: string; database: OnPostgres; mark: TransferMark },
  onProgress: OnProgress,
): Promise<Result[]> {
  await using target = closing(await holdTarget(database, storage))
  using source = openClosedFile(file)
  const copied = await copyStore(target.fill(mark), source, copiedTables(storage), onProgress)
  const remedy = 'Restore the backup again.'
  await requireEqual({ storage, copy: database, remedy }, copied, onProgress)
  const results = await verifyHeld(storage, database, onProgress)
  await target.release()
  return results
}
