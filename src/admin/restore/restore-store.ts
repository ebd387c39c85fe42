import { chmodSync, chownSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { storage } from '../../app/storage.ts'
import { ExitError } from '../../config/exit-error.ts'
import { judgeFiles } from '../../db/sqlite/judge-files.ts'
import { holdAlone } from '../../db/sqlite/lock.ts'
import { prepareFile } from '../../db/sqlite/prepare.ts'
import { placeFile } from '../backup/place-file.ts'
import type { OnProgress } from '../backup/progress.ts'
import { deleteUnfinished, fillFile, unfinishedFor } from '../backup/unfinished.ts'
import { highest, readAssignedIds, readToldIds } from './assigned-ids.ts'
import { filesOf, keepAside, listAside } from './keep-aside.ts'
import type { LastIds } from './queries.ts'
import type { RestoredFile } from './write-store.ts'

/** What `restore` is asked to do. */
export type RestoreOrder = {
  backup: string
  replaces: boolean
  /** How many ids of each table stay unused, above those that are known to be used; `undefined` where nobody said. */
  skippedIds: bigint | undefined
  nowMs: number
}

/** `kept` is where the old store is now; `isEveryIdKnown`: whether no id can be assigned again. */
export type Restored = RestoredFile & { kept: string | undefined; isEveryIdKnown: boolean }

/**
 * Restores a backup to a SQLite file. Everything is checked, and the new store is complete and synced, before an old
 * store is renamed. Throws OpenError, ExitError.
 */
export async function restoreSqlite(
  given: string,
  { backup, replaces, skippedIds, nowMs }: RestoreOrder,
  onProgress: OnProgress,
): Promise<Restored> {
  const path = requirePlace(given, replaces)
  const lock = holdAlone(path)
  try {
    const old = await readOldIds(path, skippedIds)
    const file = unfinishedFor(path)
    deleteUnfinished(path)
    const task = { backup, file, usedIds: old.ids, skippedIds: skippedIds ?? 0n }
    const restored = await fillFile(file, { name: 'restore', request: task }, onProgress)
    giveToOwner(file, path)
    const kept = filesOf(path).length > 0 ? keepAside(path, nowMs) : undefined
    placeFile(file, path)
    return { ...restored, kept, isEveryIdKnown: old.isKnown }
  } finally {
    lock.release()
  }
}

/** Where the store will be. Throws `usage` where something is there, unless it is to be replaced. */
function requirePlace(given: string, replaces: boolean): string {
  const found = filesOf(given)
  if (found.length > 0 && !replaces) {
    throw new ExitError(
      'usage',
      `${found[0]} exists. --replace keeps it under another name, and puts the backup in its place.`,
    )
  }
  const isWhole = found.length === 0 || (statSync(given, { throwIfNoEntry: false })?.size ?? 0) > 0
  // A log without its database is refused by all but this command.
  return isWhole ? prepareFile(given) : resolve(given)
}

/** The ids that the old store has assigned, also where an earlier restore was cut off after it had renamed it. */
async function readOldIds(path: string, skippedIds: bigint | undefined) {
  const found = filesOf(path)
  // SQLite reads a damaged store as if nothing followed the damage.
  const isDamaged = found.length > 0 && judgeFiles(path) !== undefined
  const ofStore = await readAssignedIds(path, storage.tables)
  const isUnknown = found.length > 0 && (isDamaged || ofStore === undefined)
  if (isUnknown && skippedIds === undefined) {
    throw new ExitError(
      'usage',
      `${found[0]} is damaged or cannot be read, so the ids that it has assigned since the backup are not known. Say how many ids of each table are to stay unused: --skip-ids N, 0 for none.`,
    )
  }
  const ofAside = await Promise.all(
    listAside(path).map((aside) => readAssignedIds(aside, storage.tables)),
  )
  const told = isDamaged ? readToldIds(path) : undefined
  const known = [ofStore, told, ...ofAside].filter((ids): ids is LastIds => ids !== undefined)
  return { ids: highest(known), isKnown: known.length > 0 }
}

/** A store that root restores belongs to the user who had the old one, or has its folder. */
function giveToOwner(file: string, path: string) {
  const old = statSync(path, { throwIfNoEntry: false })
  if (old) chmodSync(file, old.mode)
  if (process.getuid?.() !== 0) return
  const { uid, gid } = old ?? statSync(dirname(path))
  chownSync(file, uid, gid)
}
