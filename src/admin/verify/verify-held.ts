import { storage } from '../../app/storage.ts'
import { type DatabaseAddress, openDbAsItIs } from '../../db/open.ts'
import type { OnProgress } from '../backup/progress.ts'
import { type Result, verifyStore } from './verify-store.ts'

/** What `verify` says of a store that this process holds, whether it is marked by a transfer or not. Throws OpenError. */
export async function verifyHeld(
  database: DatabaseAddress,
  onProgress: OnProgress,
): Promise<Result[]> {
  const db = await openDbAsItIs(database, {
    storage,
    storageUrl: '',
    admitsMarked: true,
    isHeld: true,
    warn: () => undefined,
    onLost: () => undefined,
  })
  try {
    const results: Result[] = []
    const total = storage.checks.length
    for await (const result of verifyStore({ db })) {
      results.push(result)
      onProgress({ unit: 'checks', done: results.length, total })
    }
    return results
  } finally {
    await db.close()
  }
}
