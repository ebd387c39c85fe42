import { usageError } from '../../config/exit-error.ts'
import { claimOf } from '../../db/doors/closed-file.ts'
import { holdDestination } from '../../db/sqlite/destination.ts'
import type { Declared } from '../../db/storage.ts'
import { fillFile } from '../backup/unfinished.ts'
import type { OnProgress } from '../progress.ts'
import { claimFor, planArrival, readClaimed } from './arrival.ts'
import type { RestoredFile } from './write-store.ts'

/** What `restore` is asked to do. */
export type RestoreOrder = {
  backup: string
  /** Whether it is the last backup of a store, which may go on in an empty place. */
  isLast: boolean
  replaces: boolean
  /** How many ids of each table stay unused, above those that are known to be used; `undefined` where nobody said. */
  skippedIds: bigint | undefined
  nowMs: number
}

/** `kept` is where the old store is now; `goesOn`: the new one is the store that has moved, else a copy with a log of its own. */
export type Restored = RestoredFile & { kept: string | undefined; goesOn: boolean }

/**
 * Restores a backup to a SQLite file. Everything is checked, and the new store is complete and synced, before an old
 * store is renamed. What an interrupted run has left is undone first, or completed. Throws OpenError, ExitError.
 */
export async function restoreSqlite(
  declared: Declared,
  path: string,
  { backup, isLast, replaces, skippedIds, nowMs }: RestoreOrder,
  onProgress: OnProgress,
): Promise<Restored> {
  using destination = holdDestination(path)
  if (!replaces && destination.isTaken) {
    throw usageError(
      `${destination.found} exists. --replace keeps it under another name, and puts the backup in its place.`,
    )
  }
  const file = destination.unfinished
  const isEmpty = destination.found === undefined
  const arrival = isLast && isEmpty ? planArrival(backup, claimOf(file)) : undefined
  if (arrival?.isClaimed) {
    const kept = destination.replace(nowMs)
    return { ...(await readClaimed(declared, backup, onProgress)), kept, goesOn: true }
  }
  const used = await destination.readIds(declared.storage.tables)
  const request = { backup, file, used, skippedIds, claim: arrival?.claim }
  const restored = await fillFile(declared, file, { name: 'restore', input: request }, onProgress)
  if (arrival) await claimFor(file, backup, arrival)
  return { ...restored, kept: destination.replace(nowMs), goesOn: arrival !== undefined }
}
