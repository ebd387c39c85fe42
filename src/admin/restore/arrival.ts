import { accessSync, constants } from 'node:fs'
import { dirname } from 'node:path'
import { usageError } from '../../config/exit-error.ts'
import { claimBackup, claimOf } from '../../db/doors/closed-file.ts'
import { syncComplete } from '../../db/files/place-file.ts'
import { syncDirectory } from '../../db/files/sync.ts'
import type { Declared } from '../../db/storage.ts'
import { newClaim } from '../backup/leave-store.ts'
import type { OnProgress } from '../progress.ts'
import { runInWorker } from '../worker-client.ts'
import type { RestoredFile } from './write-store.ts'

/**
 * How a last backup becomes the store that goes on where the old one ended. It does once: the new store is complete, but cannot be
 * served yet, when the backup gets the `claim` that this store has. `isClaimed`: an interrupted restore has come so far.
 */
export type Arrival = { claim: number; isClaimed: boolean }

/** Undefined where the backup has become a store elsewhere: it is restored as a copy. Throws `usage` where it cannot be claimed. */
export function planArrival(backup: string, claimAtPlace: number): Arrival | undefined {
  const claim = claimOf(backup)
  if (claim !== 0) return claim === claimAtPlace ? { claim, isClaimed: true } : undefined
  try {
    accessSync(backup, constants.W_OK)
    return { claim: newClaim(), isClaimed: false }
  } catch {
    throw usageError(
      `${backup} is the last backup of a store, and cannot be written: that the store goes on here is noted in it. Let this user write to it; --skip-ids N restores it as a copy.`,
    )
  }
}

/** Claims a backup for the complete store in a file, both durably. */
export async function claimFor(file: string, backup: string, { claim }: Arrival): Promise<void> {
  syncComplete(file)
  syncDirectory(dirname(file))
  await claimBackup(backup, claim)
}

/** Reads a backup for the report on a store that an interrupted restore has made of it. */
export async function readClaimed(
  declared: Declared,
  backup: string,
  onProgress: OnProgress,
): Promise<RestoredFile> {
  const checked = await runInWorker(declared, { name: 'check', input: backup }, onProgress)
  const lastIds = Object.entries(checked.digests).flatMap(([table, { lastId }]) =>
    lastId === undefined ? [] : [[table, lastId] as const],
  )
  return { ...checked, lastIds: Object.fromEntries(lastIds), skippedIds: 0n }
}
