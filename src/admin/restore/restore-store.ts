import { chmodSync, chownSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { ExitError } from '../../config/exit-error.ts'
import { holdAlone } from '../../db/sqlite/locking/lock.ts'
import { preparePlace } from '../../db/sqlite/locking/prepare.ts'
import {
  filesOf,
  replaceStore,
  undoReplacement,
  unfinishedStore,
} from '../../db/sqlite/locking/replace-store.ts'
import type { OnProgress } from '../backup/progress.ts'
import { explained, fillFile } from '../backup/unfinished.ts'
import { type IdSource, readOldIds } from './assigned-ids.ts'
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
  given: string,
  { backup, replaces, skippedIds, nowMs }: RestoreOrder,
  onProgress: OnProgress,
): Promise<Restored> {
  const path = preparePlace(given)
  const lock = holdAlone(path)
  try {
    explained(path, () => undoReplacement(path))
    if (!replaces) requireFree(path)
    const old = await readOldIds(path, skippedIds)
    const file = unfinishedStore(path)
    const task = { backup, file, usedIds: old.ids, skippedIds: skippedIds ?? 0n }
    const restored = await fillFile(file, { name: 'restore', request: task }, onProgress)
    const kept = explained(path, () => {
      giveToOwner(file, path)
      return replaceStore(path, file, { reason: 'replaced', nowMs })
    })
    return { ...restored, kept, idSource: old.source }
  } finally {
    lock.release()
  }
}

/** Throws `usage` where something of a store is. */
function requireFree(path: string) {
  const [found] = filesOf(path)
  if (found === undefined) return
  throw new ExitError(
    'usage',
    `${found} exists. --replace keeps it under another name, and puts the backup in its place.`,
  )
}

/** A store that root restores belongs to the user who had the old one, or has its folder. */
function giveToOwner(file: string, path: string) {
  const old = statSync(path, { throwIfNoEntry: false })
  if (old) chmodSync(file, old.mode)
  if (process.getuid?.() !== 0) return
  const { uid, gid } = old ?? statSync(dirname(path))
  chownSync(file, uid, gid)
}
