import { rmSync } from 'node:fs'
import type { Environment } from '../../config/settings.ts'
import { OpenError } from '../../db/errors.ts'
import { syncDirectory } from '../../db/files/sync.ts'
import { listDated, type Target } from './target.ts'

/** Which backups were deleted, and which were left because their names lie in the future. */
export type Rotated = { deleted: string[]; future: string[] }

/**
 * Deletes the backups of an environment in the folder of a new one but for the last ones; only files that are backups
 * and have the time in their name. Those with a later time than the new one are left: the clock was ahead when they were
 * made. Throws OpenError.
 */
export function rotate(
  { folder, file }: Target,
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
