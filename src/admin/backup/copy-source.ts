import { storage } from '../../app/storage.ts'
import type { Environment } from '../../config/settings.ts'
import { copyStore, countRows } from '../../db/copying/copy-store.ts'
import type { Digests } from '../../db/copying/digests.ts'
import { openStoreReader, openStoreWriter } from '../../db/copying/open.ts'
import { type DatabaseAddress, openDbAsItIs } from '../../db/open.ts'
import { type Connection, checkLibrary } from '../../db/sqlite/connection.ts'
import { failureOf } from '../../db/sqlite/failures.ts'
import { enterDatabase, type Lock } from '../../db/sqlite/locking/lock.ts'
import { explainOpening, prepareExisting } from '../../db/sqlite/locking/prepare.ts'
import { connectKeepingLog } from '../../db/sqlite/loss/keep-log.ts'
import { pendingFor, refuseUntouched } from '../../db/sqlite/migrate.ts'
import { refuseForeign, requireOwner } from '../../features/environment/claim-database.ts'
import { environmentIn, tablesOf } from './copied-tables.ts'
import { currentSchema } from './current-schema.ts'
import type { OnProgress } from './progress.ts'
import { selectSchema, selectSizeBytes, vacuumInto } from './queries.ts'

/** A store to copy, and the empty file for the copy. */
type Copying = { source: DatabaseAddress; environment: Environment; file: string }

/**
 * Copies a store as it is at one moment, beside the services that serve it. Returns the digests of what was read, where
 * rows were copied one by one. Throws OpenError; SQLite's error for a full disk.
 */
export async function copySource(
  { source, environment, file }: Copying,
  onProgress: OnProgress,
): Promise<Digests | undefined> {
  if (source.engine === 'postgres') return copyPostgres(source, environment, file, onProgress)
  copySqlite(source.path, environment, file, onProgress)
  return undefined
}

function copySqlite(path: string, environment: Environment, file: string, onProgress: OnProgress) {
  const real = prepareExisting(path)
  let lock: Lock | undefined
  let connection: Connection | undefined
  try {
    checkLibrary()
    lock = enterDatabase(real, 'use')
    refuseUntouched(real)
    connection = connectKeepingLog(real)
    pendingFor(connection, real)
    const owner = environmentIn(connection, tablesOf(selectSchema(connection)))
    if (owner !== null) requireOwner(owner, path, environment)
    onProgress({ unit: 'bytes', done: 0, total: selectSizeBytes(connection) })
    vacuumInto(connection, file)
  } catch (error) {
    throw failureOf(error) === 'full' ? error : explainOpening(real, error)
  } finally {
    connection?.close()
    lock?.release()
  }
}

async function copyPostgres(
  source: DatabaseAddress,
  environment: Environment,
  file: string,
  onProgress: OnProgress,
): Promise<Digests> {
  // Open until the end: no transfer or restore can begin meanwhile.
  const db = await openDbAsItIs(source, {
    storage,
    storageUrl: '',
    warn: () => undefined,
    onLost: () => undefined,
  })
  try {
    await refuseForeign(db, source.name, environment)
    const reader = await openStoreReader(source)
    const writer = await openStoreWriter({ engine: 'sqlite', path: file, name: file }, storage)
    try {
      const tables = tablesOf(currentSchema())
      const total = await countRows(reader, tables)
      onProgress({ unit: 'rows', done: 0, total })
      const digests = await copyStore(reader, writer, tables, (done) =>
        onProgress({ unit: 'rows', done, total }),
      )
      await writer.finish()
      return digests
    } finally {
      await writer.close()
      await reader.close()
    }
  } finally {
    await db.close()
  }
}
