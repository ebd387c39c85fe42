import { chmodSync, chownSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ExitError } from '../../config/exit-error.ts'
import { holdAlone } from '../../db/sqlite/lock.ts'
import { prepareFile } from '../../db/sqlite/prepare.ts'
import { placeFile } from '../backup/place-file.ts'
import type { OnProgress } from '../backup/progress.ts'
import { deleteUnfinished, fillFile, unfinishedFor } from '../backup/unfinished.ts'
import { type IdSource, readOldIds } from './assigned-ids.ts'
import { filesOf, keepAside } from './keep-aside.ts'
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
    const aside = filesOf(path).length > 0 ? keepAside(path, nowMs) : undefined
    placeFile(file, path)
    // Where the database was missing, its witness is kept, for example.
    const kept = aside && filesOf(aside)[0]
    return { ...restored, kept, idSource: old.source }
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

/** A store that root restores belongs to the user who had the old one, or has its folder. */
function giveToOwner(file: string, path: string) {
  const old = statSync(path, { throwIfNoEntry: false })
  if (old) chmodSync(file, old.mode)
  if (process.getuid?.() !== 0) return
  const { uid, gid } = old ?? statSync(dirname(path))
  chownSync(file, uid, gid)
}
