import { isDeepStrictEqual } from 'node:util'
import type { Environment } from '../../config/settings.ts'
import { OpenError } from '../../db/errors.ts'
import type { DatabaseAddress } from '../../db/open.ts'
import { backupId } from '../../db/sqlite/application-id.ts'
import { connect } from '../../db/sqlite/connection.ts'
import { forgetStore } from '../../db/sqlite/loss/store-row.ts'
import { type Digests, differences } from '../copy/digests.ts'
import {
  type CheckedBackup,
  digestFile,
  openManifest,
  requireIntact,
  verifyFile,
} from './check-backup.ts'
import { environmentIn, keepContents } from './copied-tables.ts'
import { copySource } from './copy-source.ts'
import { isCurrentSchema } from './current-schema.ts'
import { explainFilling } from './explain-filling.ts'
import { entriesOf, type Manifest } from './manifest.ts'
import type { OnProgress } from './progress.ts'
import { insertManifest, selectSchema, writeUnsafely } from './queries.ts'

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
    const written = await describeCopy(request, read, onProgress)
    // From here on nothing is written: what is verified is what takes the name.
    const manifest = openManifest(file)
    requireEqual(isDeepStrictEqual(manifest, written), name)
    const isCurrent = isCurrentSchema(manifest.schema)
    const results = await verifyFile(file, { isCurrent }, onProgress)
    requireIntact(results, `The copy of ${source.name}`)
    return { manifest, results }
  } catch (error) {
    throw explainFilling(error, { file, name, action: `write ${name}` })
  }
}

/** Makes a copy of a store a backup: adds the manifest. `read` are the digests of the source, where it has some. */
async function describeCopy(
  { source, file, name, program, madeAt }: WriteRequest,
  read: Digests | undefined,
  onProgress: OnProgress,
): Promise<Manifest> {
  const connection = connect(file)
  try {
    writeUnsafely(connection)
    forgetStore(connection)
    const tables = keepContents(connection)
    const digests = await digestFile(file, tables, onProgress)
    if (read) requireEqual(differences(read, digests).length === 0, name)
    const manifest: Manifest = {
      program,
      schema: selectSchema(connection),
      environment: environmentIn(connection, tables),
      madeAt,
      engine: source.engine,
      tables,
      digests,
    }
    connection.exec('begin')
    insertManifest(connection, entriesOf(manifest), backupId)
    connection.exec('commit')
    return manifest
  } finally {
    connection.close()
  }
}

function requireEqual(isEqual: boolean, name: string) {
  if (!isEqual) throw new OpenError('ioError', `${name} would not hold what was written to it.`)
}
