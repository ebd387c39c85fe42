import { type DatabaseAddress, openDbAsItIs } from '../../db/open.ts'
import type { Storage } from '../../db/storage.ts'
import type { OnProgress } from '../progress.ts'
import { type Result, verifyAll } from './verify-store.ts'

/** What `verify` says of a store that this process holds, whether it is marked by a transfer or not. Throws OpenError. */
export async function verifyHeld(
  storage: Storage,
  database: DatabaseAddress,
  onProgress: OnProgress = () => undefined,
): Promise<Result[]> {
  const db = await openDbAsItIs(database, { storage, admitsMarked: true, isHeld: true })
  return verifyAll(db, storage.checks, onProgress).finally(() => db.close())
}
