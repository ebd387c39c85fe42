import type { HeldStore, StoreReader } from '../copying/copying.ts'
import type { DatabaseAddress, OnPostgres } from '../open.ts'
import { holdSqliteStore } from '../sqlite/locking/hold.ts'
import type { Storage } from '../storage.ts'

/** Reads a store on PostgreSQL as it is now, beside the services that serve it. Changes nothing. Throws OpenError. */
export async function openStoreReader(database: OnPostgres): Promise<StoreReader> {
  const { openPostgresReader } = await import('../postgres/store-reader.ts')
  return openPostgresReader(database)
}

/**
 * Holds a store that exists. Throws OpenError, such as `alreadyServed`, and `configuration` where a migration is pending, unless
 * the store is marked.
 */
export async function holdStore(
  database: DatabaseAddress,
  storage: Pick<Storage, 'tables'>,
): Promise<HeldStore> {
  if (database.engine === 'sqlite') return holdSqliteStore(database.path, storage)
  const { holdPostgresStore } = await import('../postgres/hold.ts')
  return holdPostgresStore(database, storage)
}
