import { rmSync } from 'node:fs'
import type { Environment } from '../../config/settings.ts'
import { syncDirectory } from '../../db/sqlite/sync-directory.ts'
import { listDated, type Target } from './target.ts'

/**
 * Deletes the oldest backups of an environment in a folder, until so many are left; only files that are backups and have
 * the time in their name. Returns the deleted ones.
 */
export function rotate({ folder }: Target, environment: Environment, keepCount: number): string[] {
  const old = listDated(folder, environment).slice(0, -keepCount)
  for (const file of old) rmSync(file)
  if (old.length > 0) syncDirectory(folder)
  return old
}
