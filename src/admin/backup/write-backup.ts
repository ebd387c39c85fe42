import { isDeepStrictEqual } from 'node:util'
import { storage } from '../../app/storage.ts'
import type { Environment } from '../../config/settings.ts'
import { type CopiedTable, countRows, digestStore } from '../../db/copying/copy-store.ts'
import type { Digests } from '../../db/copying/digests.ts'
import { OpenError } from '../../db/errors.ts'
import type { DatabaseAddress } from '../../db/open.ts'
import { backupId } from '../../db/sqlite/application-id.ts'
import { connect } from '../../db/sqlite/connection.ts'
import { conformSchema } from '../../db/sqlite/copying/conform-schema.ts'
import { readerOn } from '../../db/sqlite/copying/store-reader.ts'
import { forgetStore } from '../../db/sqlite/loss/store-row.ts'
import { tablesIn } from '../../db/sqlite/migrate.ts'
import { type CheckedBackup, requireIntact, verifyFile } from './check-backup.ts'
import { environmentIn, tablesOf } from './copied-tables.ts'
import { copySource } from './copy-source.ts'
import { isCurrentSchema } from './current-schema.ts'
import { explainFilling } from './explain-filling.ts'
import { encodeDigests, entriesOf, type Manifest } from './manifest.ts'
import { openManifest } from './open-backup.ts'
import type { OnProgress } from './progress.ts'
import { insertManifest, resetTables, selectSchema, writeUnsafely } from './queries.ts'

export type WriteRequest = {
  source: DatabaseAddress
  environment: Environment
  /** An empty file, and the name that the backup will have, for messages. */
  file: string
  name: string
  program: string
  madeAt: string
}

/**
 * Writes a backup of a store, beside the services that serve it, then reads it back and verifies it. It is not synced.
 * Only reads the store. Throws OpenError.
 */
export async function writeBackup(
  request: WriteRequest,
  onProgress: OnProgress,
): Promise<CheckedBackup> {
  const { source, file, name } = request
  try {
    const read = await copySource(request, onProgress)
    const { manifest, digests } = await describeCopy(request, read, onProgress)
    // From here on nothing is written: what is verified is what takes the name.
    requireEqual(isDeepStrictEqual(openManifest(file), manifest), name)
    const isCurrent = isCurrentSchema(manifest.schema)
    const results = await verifyFile(file, { isCurrent }, onProgress)
    requireIntact(results, `The copy of ${source.name}`)
    return { manifest, digests, results }
  } catch (error) {
    throw explainFilling(error, { file, name, action: `write ${name}` })
  }
}

/** Makes a copy of a store a backup: adds the manifest. `read` are the digests of the source, where it has some. */
async function describeCopy(
  { source, file, name, program, madeAt }: WriteRequest,
  read: Digests | undefined,
  onProgress: OnProgress,
): Promise<Pick<CheckedBackup, 'manifest' | 'digests'>> {
  const connection = connect(file)
  try {
    writeUnsafely(connection)
    const schema = selectSchema(connection)
    conformSchema(connection, schema, source.name)
    forgetStore(connection)
    const present = tablesIn(connection)
    const ofPlace = storage.tables.filter(({ isOfPlace }) => isOfPlace)
    resetTables(
      connection,
      ofPlace.filter(({ name }) => present.includes(name)),
    )
    const tables = tablesOf(schema)
    const digests = await digestFile(file, tables, onProgress)
    if (read) requireEqual(isDeepStrictEqual(digests, read), name)
    const manifest: Manifest = {
      program,
      schema,
      environment: environmentIn(connection, tables),
      madeAt,
      engine: source.engine,
      digests: encodeDigests(digests),
    }
    connection.exec('begin')
    insertManifest(connection, entriesOf(manifest), backupId)
    connection.exec('commit')
    return { manifest, digests }
  } finally {
    connection.close()
  }
}

/** The digests of the tables of a file that nobody changes. */
async function digestFile(file: string, tables: readonly CopiedTable[], onProgress: OnProgress) {
  const connection = connect(file, 'immutable')
  try {
    const reader = readerOn(connection, file)
    const total = await countRows(reader, tables)
    return await digestStore(reader, tables, (done) => onProgress({ unit: 'rows', done, total }))
  } finally {
    connection.close()
  }
}

function requireEqual(isEqual: boolean, name: string) {
  if (!isEqual) throw new OpenError('ioError', `${name} would not hold what was written to it.`)
}
