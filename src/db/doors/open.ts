import type { HeldSource, HeldTarget, StoreReader } from '../copying/copying.ts'
import type { DatabaseAddress } from '../open.ts'
import { openSqliteReader } from '../sqlite/copying/store-reader.ts'
import { holdSqliteSource, holdSqliteTarget } from '../sqlite/copying/transfer.ts'
import type { Storage, Table } from '../storage.ts'

/** Reads a store as it is now, beside the services that serve it. Changes nothing. Throws OpenError. */
export async function openStoreReader(database: DatabaseAddress): Promise<StoreReader> {
  if (database.engine === 'sqlite') return openSqliteReader(database.path)
  const { openPostgresReader } = await import('../postgres/store-reader.ts')
  return openPostgresReader(database)
}

/**
 * Holds a store that exists and is up to date. Throws OpenError, such as `alreadyServed`, and `configuration` where a
 * migration is pending.
 */
export async function holdSource(
  database: DatabaseAddress,
  tables: readonly Table[],
): Promise<HeldSource> {
  if (database.engine === 'sqlite') return holdSqliteSource(database.path, tables)
  const { holdPostgresSource } = await import('../postgres/transfer.ts')
  return holdPostgresSource(database, tables)
}

/** Holds a place without a store, or with one that an interrupted transfer has left there. Throws OpenError. */
export async function holdTarget(database: DatabaseAddress, storage: Storage): Promise<HeldTarget> {
  if (database.engine === 'sqlite') return holdSqliteTarget(database.path, storage)
  const { holdPostgresTarget } = await import('../postgres/transfer.ts')
  return holdPostgresTarget(database, storage)
}
