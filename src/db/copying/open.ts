import type { DatabaseAddress } from '../open.ts'
import { openSqliteReader } from '../sqlite/store-reader.ts'
import { openSqliteWriter } from '../sqlite/store-writer.ts'
import type { Storage } from '../storage.ts'
import type { StoreReader, StoreWriter } from './copying.ts'

/** Reads a store as it is now, beside the services that serve it. Changes nothing. Throws OpenError. */
export async function openStoreReader(database: DatabaseAddress): Promise<StoreReader> {
  if (database.engine === 'sqlite') return openSqliteReader(database.path)
  const { openPostgresReader } = await import('../postgres/store-reader.ts')
  return openPostgresReader(database)
}

/**
 * Fills a new store: on SQLite a file that does not exist, which is no store before `finish`; on PostgreSQL a database
 * without one, in one transaction. Throws OpenError.
 */
export async function openStoreWriter(
  database: DatabaseAddress,
  storage: Storage,
): Promise<StoreWriter> {
  if (database.engine === 'sqlite') return openSqliteWriter(database.path, storage)
  const { openPostgresWriter } = await import('../postgres/store-writer.ts')
  return openPostgresWriter(database, storage)
}
