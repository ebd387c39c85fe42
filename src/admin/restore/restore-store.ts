import { usageError } from '../../config/exit-error.ts'
import type { IdSource } from '../../db/last-ids.ts'
import { holdDestination } from '../../db/sqlite/destination.ts'
import type { Declared } from '../../db/storage.ts'
import { fillFile } from '../backup/unfinished.ts'
import type { OnProgress } from '../progress.ts'
import type { RestoredFile } from './write-store.ts'

/** What `restore` is asked to do. */
export type RestoreOrder = {
  backup: string
  replaces: boolean
  /** How many ids of each table stay unused, above those that are known to be used; `undefined` where nobody said. */
  skippedIds: bigint | undefined
  nowMs: number
}

/** `kept` is where the old store is now; `idSource`: what told the ids that it has assigned. */
export type Restored = RestoredFile & { kept: string | undefined; idSource: IdSource }

/**
 * Restores a backup to a SQLite file. Everything is checked, and the new store is complete and synced, before an old
 * store is renamed. What an interrupted run has left is undone first. Throws OpenError, ExitError.
 */
export async function restoreSqlite(
  declared: Declared,
  path: string,
  { backup, replaces, skippedIds, nowMs }: RestoreOrder,
  onProgress: OnProgress,
): Promise<Restored> {
  using destination = holdDestination(path)
  if (!replaces && destination.isTaken) {
    throw usageError(
      `${destination.found} exists. --replace keeps it under another name, and puts the backup in its place.`,
    )
  }
  const old = await destination.readIds(declared.storage.tables, skippedIds)
  if (destination.found !== undefined && old.source === 'none' && skippedIds === undefined) {
    throw usageError(
      `${destination.found} is damaged or cannot be read, and neither its log nor its witness tells which ids it has assigned since the backup. Nothing was changed. Say how many ids of each table are to stay unused: --skip-ids N, 0 for none.`,
    )
  }
  const file = destination.unfinished
  const request = { backup, file, usedIds: old.ids, skippedIds: skippedIds ?? 0n }
  const restored = await fillFile(declared, file, { name: 'restore', input: request }, onProgress)
  return { ...restored, kept: destination.replace(nowMs), idSource: old.source }
}
