import { closing } from '../../db/closing.ts'
import {
  copiedTables,
  copyStore,
  countRows,
  type Digests,
  differences,
  digestStore,
} from '../../db/copying/copy-store.ts'
import type { RowReader } from '../../db/copying/copying.ts'
import type { HeldTarget } from '../../db/copying/held-store.ts'
import { openStoreReader } from '../../db/doors/open.ts'
import { OpenError } from '../../db/errors.ts'
import type { DatabaseAddress } from '../../db/open.ts'
import type { Storage } from '../../db/storage.ts'
import type { TransferMark } from '../../db/transfer-mark.ts'
import { type OnProgress, ofRows } from '../progress.ts'

type Copying = { storage: Storage; source: RowReader; target: HeldTarget; mark: TransferMark }

/** Fills a held place with the contents of a store. Returns the digests of what was read. Throws OpenError. */
export async function copyHeld(
  { storage, source, target, mark }: Copying,
  onProgress: OnProgress,
): Promise<Digests> {
  const tables = copiedTables(storage)
  const onRows = ofRows(await countRows(source, tables), onProgress)
  await using writer = closing(await target.fill(mark))
  const copied = await copyStore(writer, source, tables, onRows)
  await writer.finish()
  return copied
}

/** Reads every row of a copy again. Throws `damaged` with this remedy where it differs from what was copied. */
export async function requireEqual(
  { storage, copy, remedy }: { storage: Storage; copy: DatabaseAddress; remedy: string },
  copied: Digests,
  onProgress: OnProgress,
): Promise<void> {
  await using reader = closing(await openStoreReader(copy))
  const onRows = ofRows(rowsIn(copied), onProgress)
  const different = differences(copied, await digestStore(reader, copiedTables(storage), onRows))
  if (different.length === 0) return
  const names = different.join(', ')
  throw new OpenError(
    'damaged',
    `What ${copy.name} has of ${names} differs from what was copied. ${remedy}`,
  )
}

export function rowsIn(digests: Digests): number {
  return Object.values(digests).reduce((sum, { rows }) => sum + rows, 0)
}
