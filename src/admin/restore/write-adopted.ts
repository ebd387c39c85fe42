import { type CopiedTable, copyStore } from '../../db/copying/copy-store.ts'
import { explainFilling } from '../../db/doors/closed-file.ts'
import { openEarlyStore } from '../../db/doors/early-store.ts'
import { copiedTables } from '../../db/doors/tables-at.ts'
import { early } from '../../db/schema/early.ts'
import { openSqliteWriter } from '../../db/sqlite/copying/store-writer.ts'
import type { Storage } from '../../db/storage.ts'
import { verifyIntact } from '../backup/check-backup.ts'
import type { OnProgress } from '../progress.ts'
import type { Result } from '../verify/verify-store.ts'

/** The tables of an early store whose rows go along: it is the same store in another form. */
export function tablesOfEarly(storage: Storage): CopiedTable[] {
  return copiedTables(storage, { schema: early.asOf, reason: 'move' })
}

/** Fills an empty file with the contents of an early store, and verifies it. Throws OpenError. */
export async function writeAdopted(
  storage: Storage,
  { store, file }: { store: string; file: string },
  onProgress: OnProgress,
): Promise<Result[]> {
  try {
    using old = await openEarlyStore(storage, store)
    const writer = openSqliteWriter(file, { last: early.asOf, isRestore: true })
    await copyStore(writer, old, tablesOfEarly(storage), onProgress)
    return await verifyIntact(storage, file, store, onProgress)
  } catch (error) {
    throw explainFilling(error, { file, name: store, action: `copy ${store}` })
  }
}
