import { storage } from '../../app/storage.ts'
import { copyStore, countRows } from '../../db/copying/copy-store.ts'
import type { Digests } from '../../db/copying/digests.ts'
import { OpenError } from '../../db/errors.ts'
import { type Connection, connect } from '../../db/sqlite/connection.ts'
import { openSqliteWriter } from '../../db/sqlite/copying/store-writer.ts'
import { failureOf } from '../../db/sqlite/failures.ts'
import { migrate } from '../../db/sqlite/migrate.ts'
import { type CheckedBackup, requireIntact, verifyFile } from '../backup/check-backup.ts'
import { type Backup, openBackup } from '../backup/open-backup.ts'
import type { OnProgress } from '../backup/progress.ts'
import { insertLastBackup } from '../backup/queries.ts'
import { type LastIds, writeUnsynced } from './queries.ts'

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

/**
 * Makes a store of the rows of a backup: its schema is that of the migrations, and what is derived of a row is derived anew.
 * The store is of the schema of this program, and verified. Throws as `checkBackup`.
 */
export async function writeStore(
  { backup: name, file, usedIds, skippedIds }: RestoreRequest,
  onProgress: OnProgress,
): Promise<RestoredFile> {
  try {
    using backup = openBackup(name)
    const { manifest } = backup
    const digests = await copyRows(backup, file, onProgress)
    backup.requireDigests(digests)
    const lastIds = await completeStore(
      file,
      { file: name, madeAt: manifest.madeAt },
      (table, last) => {
        const used = usedIds[table] ?? 0n
        return (used > last ? used : last) + skippedIds
      },
    )
    const results = await verifyFile(file, { isCurrent: true }, onProgress)
    requireIntact(results, name)
    return { manifest, digests, results, lastIds }
  } catch (error) {
    if (failureOf(error) !== 'full' && (error as NodeJS.ErrnoException).code !== 'ENOSPC')
      throw error
    const reason = (error as Error).message
    throw new OpenError('ioError', `There is no room to restore ${name}: ${reason}.`, error)
  }
}

/** Copies the rows into a new store of the schema of the backup. */
async function copyRows(
  { manifest, tables, readRows }: Backup,
  file: string,
  onProgress: OnProgress,
): Promise<Digests> {
  const reader = readRows()
  const total = await countRows(reader, tables)
  const writer = await openSqliteWriter(file, storage, { last: manifest.schema, isRestore: true })
  try {
    const digests = await copyStore(reader, writer, tables, (done) =>
      onProgress({ unit: 'rows', done, total }),
    )
    await writer.finish()
    return digests
  } finally {
    await writer.close()
  }
}

/** Upgrades a store, and raises its last ids; where power fails meanwhile, it is made again. */
async function completeStore(
  path: string,
  backup: { file: string; madeAt: string },
  lastIdOf: (table: string, last: bigint) => bigint,
): Promise<LastIds> {
  const connection = connect(path)
  try {
    writeUnsynced(connection)
    await migrate(connection, path, { storage })
    connection.exec('begin')
    const lastIds = await raiseIds(connection, lastIdOf)
    const madeAt = BigInt(Date.parse(backup.madeAt))
    await insertLastBackup.run(connection, { madeAt, file: backup.file })
    connection.exec('commit')
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
