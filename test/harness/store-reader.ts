import type { StoreReader } from '../../src/db/copying/copying.ts'
import { openStoreReader } from '../../src/db/doors/open.ts'
import type { DatabaseAddress } from '../../src/db/open.ts'
import { readerOn } from '../../src/db/sqlite/copying/store-reader.ts'
import { openStore } from '../../src/db/sqlite/open-store.ts'

/** Reads a store on any engine as it is now, beside the services that serve it. */
export async function readStore(database: DatabaseAddress): Promise<StoreReader> {
  if (database.engine === 'postgres') return openStoreReader(database)
  const opening = { path: database.path, purpose: 'use', mustExist: true } as const
  return openStore(opening, ({ connection, path, close }) => {
    connection.exec('begin')
    // The snapshot begins with the first read.
    connection.all('select count(*) from sqlite_schema')
    return { ...readerOn(connection, path), close: async () => close() }
  })
}
