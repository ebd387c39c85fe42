import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Sizes } from '../../load.ts'
import { inMemory } from '../connection.ts'

/** The sizes of a database file and its log, and the free space beside them. Rejects where there is no such file. */
export async function fileSizes(path: string): Promise<Sizes> {
  if (path === inMemory) return {}
  const [{ size }, log, { bavail, bsize }] = await Promise.all([
    stat(path),
    stat(`${path}-wal`).catch(() => undefined),
    statfs(dirname(path)),
  ])
  return { database: size, log: log?.size ?? 0, free: bavail * bsize }
}
