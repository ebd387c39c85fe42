import type { Environment } from '../../config/settings.ts'
import { copyStore, countRows } from '../../db/copying/copy-store.ts'
import type { Digests } from '../../db/copying/digests.ts'
import { copyStoreFile } from '../../db/doors/copy-store-file.ts'
import { openStoreReader, openStoreWriter } from '../../db/doors/open.ts'
import { tablesAt } from '../../db/doors/tables-at.ts'
import { type DatabaseAddress, openDbAsItIs } from '../../db/open.ts'
import type { Storage } from '../../db/storage.ts'
import { refuseForeign, requireOwner } from '../../features/environment/claim-database.ts'
import { type OnProgress, ofRows } from '../progress.ts'
import { currentSchema } from './current-schema.ts'
import { selectOwner } from './queries.ts'

/** A store to copy, and the empty file for the copy. */
type Copying = { source: DatabaseAddress; environment: Environment; file: string }

/**
 * Copies a store as it is at one moment, beside the services that serve it. Returns the digests of what was read, where
 * rows were copied one by one. Throws OpenError.
 */
export async function copySource(
  storage: Storage,
  { source, environment, file }: Copying,
  onProgress: OnProgress,
): Promise<Digests | undefined> {
  if (source.engine === 'postgres')
    return copyPostgres(storage, { source, environment, file }, onProgress)
  await copyStoreFile({
    path: source.path,
    copy: file,
    storage,
    check(store, schema) {
      const owner = selectOwner(store, tablesAt(storage, schema))
      if (owner !== null) requireOwner(owner, source.path, environment)
    },
    onSize: (total) => onProgress({ unit: 'bytes', done: 0, total }),
  })
  return undefined
}

async function copyPostgres(
  storage: Storage,
  { source, environment, file }: Copying,
  onProgress: OnProgress,
): Promise<Digests> {
  await using opened = new AsyncDisposableStack()
  const closing = <T extends { close(): Promise<void> }>(one: T) =>
    opened.adopt(one, ({ close }) => close())
  // Open until the end: no transfer or restore can begin meanwhile.
  const db = closing(await openDbAsItIs(source, { storage }))
  await refuseForeign(db, source.name, environment)
  const reader = closing(await openStoreReader(source))
  const copy = { engine: 'sqlite', path: file, name: file } as const
  const writer = closing(await openStoreWriter(copy, storage))
  const tables = tablesAt(storage, currentSchema())
  const onRows = ofRows(await countRows(reader, tables), onProgress)
  const digests = await copyStore(reader, writer, tables, onRows)
  await writer.finish()
  return digests
}
