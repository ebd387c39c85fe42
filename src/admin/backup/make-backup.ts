import { rmSync } from 'node:fs'
import type { Environment } from '../../config/settings.ts'
import { OpenError } from '../../db/errors.ts'
import { explainWriting } from '../../db/files/explain-writing.ts'
import { placeFile } from '../../db/files/place-file.ts'
import { syncDirectory } from '../../db/files/sync.ts'
import { type DatabaseAddress, openDbAsItIs } from '../../db/open.ts'
import { closing } from '../../db/opening/closing.ts'
import { currentSchema } from '../../db/schema/migrate.ts'
import type { Declared, Storage } from '../../db/storage.ts'
import type { OnProgress } from '../progress.ts'
import type { CheckedBackup } from './check-backup.ts'
import { insertLastBackup } from './queries.ts'
import { type BackupTarget, deleteLeft, listDated } from './target.ts'
import { fillFile } from './unfinished.ts'

export type BackupRequest = {
  source: DatabaseAddress
  environment: Environment
  target: BackupTarget
  program: string
  madeAtMs: number
  /** The name of a move, where the store is marked for one. */
  last?: string
}

/**
 * Makes a backup of a store, beside the services that serve it. The file gets its name once it is complete, verified and
 * synced. Until then it has another one, under which a failure deletes it. Throws OpenError, ExitError.
 */
export async function makeBackup(
  declared: Declared,
  request: BackupRequest,
  onProgress: OnProgress,
): Promise<CheckedBackup> {
  const backup = await fillBackup(declared, request, onProgress)
  placeBackup(request.target)
  return backup
}

/** Makes a backup that has not got its name yet. */
export async function fillBackup(
  declared: Declared,
  { source, environment, target, program, madeAtMs, last }: BackupRequest,
  onProgress: OnProgress,
): Promise<CheckedBackup> {
  const { file: name, unfinished: file } = target
  explainWriting(name, () => deleteLeft(target, environment))
  const madeAt = new Date(madeAtMs).toISOString()
  const request = { source, environment, file, name, program, madeAt, last }
  return await fillFile(declared, file, { name: 'write', input: request }, onProgress)
}

/** Gives a complete backup its name, durably. */
export function placeBackup({ file, unfinished }: BackupTarget): void {
  explainWriting(file, () => placeFile(unfinished, file))
}

/**
 * Records a backup in its store. A store of an older schema has no place for it. Throws OpenError, and errors of the
 * write.
 */
export async function recordBackup(
  storage: Storage,
  { source, target, madeAtMs }: Pick<BackupRequest, 'source' | 'target' | 'madeAtMs'>,
  { manifest }: CheckedBackup,
  nowMs: number,
): Promise<void> {
  if (manifest.schema !== currentSchema()) return
  await using db = closing(await openDbAsItIs(source, { storage }))
  const backup = { madeAt: BigInt(madeAtMs), file: target.file, now: BigInt(nowMs) }
  await db.write(insertLastBackup, backup)
}

/** Which backups were deleted, and which were left because their names lie in the future. */
export type Rotated = { deleted: string[]; future: string[] }

/**
 * Deletes the backups of an environment in the folder of a new one but for the last ones; only files that are backups
 * and have the time in their name. Those with a later time than the new one are left: the clock was ahead when they were
 * made. Throws OpenError.
 */
export function rotate(
  { folder, file }: BackupTarget,
  environment: Environment,
  keptCount: number,
): Rotated {
  try {
    const all = listDated(folder, environment)
    const newMs = all.find((one) => one.file === file)?.timeMs ?? Number.NEGATIVE_INFINITY
    const filesWhere = (isMeant: (timeMs: number) => boolean) =>
      all.filter(({ timeMs }) => isMeant(timeMs)).map((one) => one.file)
    const future = filesWhere((timeMs) => timeMs > newMs)
    const deleted = filesWhere((timeMs) => timeMs <= newMs).slice(0, -keptCount)
    // Another run may have deleted it.
    for (const one of deleted) rmSync(one, { force: true })
    if (deleted.length > 0) syncDirectory(folder)
    return { deleted, future }
  } catch (error) {
    const { message } = error as Error
    const sentence = `${file} is complete, but older backups beside it cannot be deleted: ${message}.`
    throw new OpenError('ioError', sentence, error)
  }
}
