import { isDeepStrictEqual } from 'node:util'
import type { Environment } from '../../config/settings.ts'
import { copyStore, type Digests, digestStore } from '../../db/copying/copy-store.ts'
import {
  changeClosedFile,
  explainFilling,
  markAsBackup,
  openClosedFile,
} from '../../db/doors/closed-file.ts'
import { copyStoreFile } from '../../db/doors/copy-store-file.ts'
import { openStoreReader } from '../../db/doors/open.ts'
import { copiedTables } from '../../db/doors/tables-at.ts'
import { OpenError } from '../../db/errors.ts'
import { type DatabaseAddress, type OnPostgres, openDbAsItIs } from '../../db/open.ts'
import { closing } from '../../db/opening/closing.ts'
import { openSqliteWriter } from '../../db/sqlite/copying/store-writer.ts'
import type { Storage } from '../../db/storage.ts'
import { refuseForeign, requireOwner } from '../../features/environment/claim-database.ts'
import type { OnProgress } from '../progress.ts'
import { type CheckedBackup, verifyIntact } from './check-backup.ts'
import { encodeDigests, encodeManifest, type Manifest, reasonOf } from './manifest.ts'
import { openManifest } from './open-backup.ts'
import { insertManifest, selectOwner, selectSchema } from './queries.ts'

/** A store, and an empty file for its copy. */
type Copying = {
  source: DatabaseAddress
  environment: Environment
  file: string
  /** The name of a move, where the store is marked for one. */
  last?: string | undefined
}

type WriteRequest = Copying & {
  /** The name that the backup will have, for messages. */
  name: string
  program: string
  madeAt: string
}

/**
 * Writes a backup of a store, beside the services that serve it, then reads it back and verifies it. It is not synced.
 * Only reads the store. Throws OpenError.
 */
export async function writeBackup(
  storage: Storage,
  request: WriteRequest,
  onProgress: OnProgress,
): Promise<CheckedBackup> {
  const { source, file, name } = request
  try {
    const read = await copySource(storage, request, onProgress)
    const { manifest, digests } = await describeCopy(storage, request, read, onProgress)
    // From here on nothing is written: what is verified is what takes the name.
    requireEqual(isDeepStrictEqual(openManifest(storage, file), manifest), name)
    const subject = `The copy of ${source.name}`
    const results = await verifyIntact(storage, file, subject, onProgress)
    return { manifest, digests, results }
  } catch (error) {
    throw explainFilling(error, { file, name, action: `write ${name}` })
  }
}

/**
 * Copies a store as it is at one moment, beside the services that serve it. Returns the digests of what was read, where
 * rows were copied one by one. Throws OpenError.
 */
export async function copySource(
  storage: Storage,
  request: Copying,
  onProgress: OnProgress,
): Promise<Digests | undefined> {
  const { source, environment, file, last } = request
  if (source.engine === 'postgres') return copyPostgres(storage, { ...request, source }, onProgress)
  await copyStoreFile({
    path: source.path,
    copy: file,
    storage,
    reason: reasonOf(last),
    check(store, schema) {
      const owner = selectOwner(store, copiedTables(storage, { schema }))
      if (owner !== null) requireOwner(owner, source.path, environment)
    },
    onSize: (total) => onProgress({ unit: 'bytes', done: 0, total }),
  })
  return undefined
}

async function copyPostgres(
  storage: Storage,
  { source, environment, file, last }: Copying & { source: OnPostgres },
  onProgress: OnProgress,
): Promise<Digests> {
  const isHeld = last !== undefined
  // Open until the end: no move or restore can begin meanwhile.
  await using db = closing(await openDbAsItIs(source, { storage, isHeld, admitsMarked: isHeld }))
  await refuseForeign(db, source.name, environment)
  await using reader = closing(await openStoreReader(source))
  const writer = openSqliteWriter(file)
  const tables = copiedTables(storage, { reason: reasonOf(last) })
  return await copyStore(writer, reader, tables, onProgress)
}

/** Makes a copy of a store a backup: adds the manifest. `read` are the digests of the source, where it has some. */
async function describeCopy(
  storage: Storage,
  { source, file, name, program, madeAt, last }: WriteRequest,
  read: Digests | undefined,
  onProgress: OnProgress,
): Promise<Pick<CheckedBackup, 'manifest' | 'digests'>> {
  using copy = openClosedFile(file)
  const schema = selectSchema(copy)
  const tables = copiedTables(storage, { schema, reason: reasonOf(last) })
  const digests = await digestStore(copy, tables, onProgress)
  if (read) requireEqual(isDeepStrictEqual(digests, read), name)
  const manifest: Manifest = {
    program,
    schema,
    environment: selectOwner(copy, tables),
    madeAt,
    engine: source.engine,
    ...(last !== undefined && { last }),
    digests: encodeDigests(digests),
  }
  await changeClosedFile(file, (backup) => {
    backup.exec('begin')
    insertManifest(backup, encodeManifest(manifest))
    markAsBackup(backup)
    backup.exec('commit')
  })
  return { manifest, digests }
}

function requireEqual(isEqual: boolean, name: string) {
  if (!isEqual) throw new OpenError('ioError', `${name} would not hold what was written to it.`)
}
