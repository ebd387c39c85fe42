import { openEarlyStore } from '../../db/doors/early-store.ts'
import { type DatabaseAddress, openDbAsItIs } from '../../db/open.ts'
import { closing } from '../../db/opening/closing.ts'
import { holdDestination } from '../../db/sqlite/destination.ts'
import type { Declared } from '../../db/storage.ts'
import { fillFile } from '../backup/unfinished.ts'
import type { OnProgress } from '../progress.ts'
import { type Result, verifyAll } from '../verify/verify-store.ts'
import { tablesOfEarly } from './write-adopted.ts'

/** Where the old store is kept, and what `verify` says of the new one. */
type Adopted = { kept: string; results: readonly Result[] }

/**
 * Puts a store of this version in the place of one of before 1.0.0, which is kept under another name. Ids, keys, events and
 * webhooks go on. On SQLite the new store is verified before it takes the place; on PostgreSQL one transaction makes it, and it is
 * verified behind that. Throws OpenError; on PostgreSQL one of the verification leaves the new store in place.
 */
export async function adoptStore(
  declared: Declared,
  database: DatabaseAddress,
  nowMs: number,
  onProgress: OnProgress,
): Promise<Adopted> {
  const { storage } = declared
  if (database.engine === 'sqlite') return adoptFile(declared, database.path, nowMs, onProgress)
  const { adoptPostgres } = await import('../../db/postgres/archive-store.ts')
  const schema = await adoptPostgres(database, storage, tablesOfEarly(storage), nowMs)
  await using db = closing(await openDbAsItIs(database, { storage }))
  return { kept: `the schema ${schema}`, results: await verifyAll(db, storage.checks, onProgress) }
}

async function adoptFile(
  declared: Declared,
  path: string,
  nowMs: number,
  onProgress: OnProgress,
): Promise<Adopted> {
  using destination = holdDestination(path)
  // Without such a store, what an interrupted restore has left stays.
  const early = await openEarlyStore(declared.storage, path)
  early[Symbol.dispose]()
  const file = destination.unfinished
  const request = { store: path, file }
  const results = await fillFile(declared, file, { name: 'adopt', input: request }, onProgress)
  return { kept: destination.replace(nowMs) ?? path, results }
}
