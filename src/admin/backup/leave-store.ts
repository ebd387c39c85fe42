import { systemRandom } from '../../context/context.ts'
import { claimBackup } from '../../db/doors/closed-file.ts'
import { holdStore } from '../../db/doors/open.ts'
import { configurationError, damagedError, explaining } from '../../db/errors.ts'
import type { DatabaseAddress } from '../../db/open.ts'
import { closing } from '../../db/opening/closing.ts'
import { requireUnmarked, type StoreMark } from '../../db/schema/store-mark.ts'
import type { Declared, Storage } from '../../db/storage.ts'
import type { OnProgress } from '../progress.ts'
import { runInWorker } from '../worker-client.ts'
import type { CheckedBackup } from './check-backup.ts'
import { type BackupRequest, fillBackup, placeBackup } from './make-backup.ts'
import { openManifest } from './open-backup.ts'
import { isBackup, requireFree } from './target.ts'

/**
 * Makes the last backup of a store, which is marked before it is read and not used any more. An interrupted move is completed by the
 * same one; a failure before the backup is complete leaves the store as it was. Throws OpenError, ExitError.
 */
export async function leaveStore(
  declared: Declared,
  { replaces, ...request }: BackupRequest & { replaces: boolean },
  onProgress: OnProgress,
): Promise<CheckedBackup> {
  const { source, target, madeAtMs } = request
  await using store = closing(await holdStore(source, declared.storage))
  const begun = unfinishedMove(store.mark, target.file)
  if (begun === undefined) requireUnmarked(store.mark, source.name)
  const made = begun && (await explaining(() => moveOf(declared.storage, target.file), ofMade))
  const isMade = begun !== undefined && made === begun.id
  if (!isMade) requireFree(target.file, replaces)
  const id = begun?.id ?? Buffer.from(systemRandom(16)).toString('hex')
  const check = { name: 'check', input: target.file } as const
  const mark = { state: 'left', id, peer: target.file, markedAt: madeAtMs } as const
  // In this order: at no moment there is a complete backup of a store that can be used.
  await store.setMark(mark)
  const backup = isMade
    ? await explaining(() => runInWorker(declared, check, onProgress), ofMade)
    : await fillBackup(declared, { ...request, last: id }, onProgress).catch(async (error) => {
        await store.setMark(undefined)
        throw error
      })
  if (!isMade) placeBackup(target)
  await store.setMark({ ...mark, id: '' })
  return backup
}

/**
 * Lets a store be used again that was moved; returns the file of its last backup, which then counts as a copy, where it is still
 * there. Throws OpenError.
 */
export async function releaseStore(storage: Storage, database: DatabaseAddress): Promise<string> {
  await using store = closing(await holdStore(database, storage))
  const { mark } = store
  if (mark?.state !== 'left') {
    requireUnmarked(mark, database.name)
    throw configurationError(`${database.name} was not moved: it may be used.`)
  }
  // One that was restored has a claim, and one that nobody can write to gets none.
  if (isBackup(mark.peer)) await claimBackup(mark.peer, newClaim()).catch(() => undefined)
  await store.setMark(undefined)
  return mark.peer
}

/** A new claim on a backup. */
export function newClaim(): number {
  return 1 + (Buffer.from(systemRandom(4)).readUInt32BE() >>> 2)
}

/** The error for a backup of an interrupted move that is not what was written; the store still has everything. */
function ofMade(error: unknown): Error {
  return damagedError(
    `${(error as Error).message} Delete it, and run the same command again.`,
    error,
  )
}

/** The mark of a move to this file that has not ended. */
function unfinishedMove(mark: StoreMark | undefined, file: string): StoreMark | undefined {
  return mark?.state === 'left' && mark.id !== '' && mark.peer === file ? mark : undefined
}

/** The move whose backup a file is. */
function moveOf(storage: Storage, file: string): string | undefined {
  return isBackup(file) ? openManifest(storage, file).last : undefined
}
