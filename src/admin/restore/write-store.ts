import { statSync } from 'node:fs'
import { storage } from '../../app/storage.ts'
import { OpenError } from '../../db/errors.ts'
import { storeId } from '../../db/sqlite/application-id.ts'
import { type Connection, connect } from '../../db/sqlite/connection.ts'
import { copyWritable } from '../../db/sqlite/copy-writable.ts'
import { failureOf } from '../../db/sqlite/failures.ts'
import { migrate } from '../../db/sqlite/migrate.ts'
import {
  type CheckedBackup,
  openManifest,
  requireDigests,
  requireIntact,
  verifyFile,
} from '../backup/check-backup.ts'
import { isCurrentSchema } from '../backup/current-schema.ts'
import type { Manifest } from '../backup/manifest.ts'
import type { OnProgress } from '../backup/progress.ts'
import { deleteManifest, insertLastBackup, writeUnsafely } from '../backup/queries.ts'
import { type LastIds, setJournal } from './queries.ts'

export type RestoreRequest = {
  backup: string
  /** An empty file beside the place of the store. */
  file: string
  /** Ids up to these stay unused … */
  usedIds: LastIds
  /** … and so many more of each table. */
  skippedIds: bigint
}

/** A store in a file that is verified but not synced. */
export type RestoredFile = CheckedBackup & { lastIds: LastIds }

/** Makes a store of a copy of a backup: checked, of the schema of this program, and verified. Throws as `checkBackup`. */
export async function writeStore(
  { backup, file, usedIds, skippedIds }: RestoreRequest,
  onProgress: OnProgress,
): Promise<RestoredFile> {
  try {
    const manifest = openManifest(backup)
    onProgress({ unit: 'bytes', done: 0, total: statSync(backup).size })
    copyWritable(backup, file)
    await requireDigests({ file, name: backup, manifest }, onProgress)
    const lastIds = await makeStore(file, backup, manifest, (table, last) => {
      const used = usedIds[table] ?? 0n
      return (used > last ? used : last) + skippedIds
    })
    const results = await verifyFile(file, { isCurrent: true }, onProgress)
    requireIntact(results, backup)
    useLog(file)
    return { manifest, results, lastIds }
  } catch (error) {
    if (failureOf(error) !== 'full' && (error as NodeJS.ErrnoException).code !== 'ENOSPC')
      throw error
    const reason = (error as Error).message
    throw new OpenError('ioError', `There is no room to restore ${backup}: ${reason}.`, error)
  }
}

async function makeStore(
  file: string,
  backup: string,
  manifest: Manifest,
  lastIdOf: (table: string, last: bigint) => bigint,
): Promise<LastIds> {
  const connection = connect(file)
  try {
    writeUnsafely(connection)
    connection.exec('begin')
    deleteManifest(connection, storeId)
    connection.exec('commit')
    if (!isCurrentSchema(manifest.schema)) await migrate(connection, file, { storage })
    connection.exec('begin')
    const lastIds = await raiseIds(connection, lastIdOf)
    const madeAt = BigInt(Date.parse(manifest.madeAt))
    await insertLastBackup.run(connection, { madeAt, file: backup })
    connection.exec('commit')
    setJournal(connection, 'delete')
    return lastIds
  } finally {
    connection.close()
  }
}

async function raiseIds(
  connection: Connection,
  lastIdOf: (table: string, last: bigint) => bigint,
): Promise<LastIds> {
  const lastIds: Record<string, bigint> = {}
  for (const { name, assignsIds } of storage.tables) {
    if (!assignsIds) continue
    const last = lastIdOf(name, await connection.lastId(name))
    await connection.skipIds(name, last)
    lastIds[name] = last
  }
  return lastIds
}

/** A store has a write-ahead log; a backup has none, so that it is one file. */
function useLog(file: string) {
  const connection = connect(file)
  setJournal(connection, 'wal')
  connection.close()
}
