import { existsSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { storage } from '../../app/storage.ts'
import type { Environment } from '../../config/settings.ts'
import { OpenError } from '../../db/errors.ts'
import type { DatabaseAddress } from '../../db/open.ts'
import { requireSchema } from '../../db/require-schema.ts'
import { backupId } from '../../db/sqlite/application-id.ts'
import { type Connection, checkLibrary, connect } from '../../db/sqlite/connection.ts'
import { failureOf } from '../../db/sqlite/failures.ts'
import { pendingFor, refuseUntouched } from '../../db/sqlite/migrate.ts'
import { explainOpening, prepareFile } from '../../db/sqlite/prepare.ts'
import { requireOwner } from '../../features/environment/claim-database.ts'
import { selectEnvironment } from '../../features/environment/queries.ts'
import {
  type CheckedBackup,
  digestFile,
  isCurrent,
  openManifest,
  requireIntact,
  verifyFile,
} from './check-backup.ts'
import { explainFilling } from './explain-filling.ts'
import { type BackedUpTable, entriesOf, type Manifest } from './manifest.ts'
import type { OnProgress } from './progress.ts'
import {
  insertManifest,
  resetTables,
  selectSchema,
  selectShapes,
  selectSizeBytes,
  vacuumInto,
  writeUnsafely,
} from './queries.ts'

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
  if (source.engine === 'postgres') throw new Error('PostgreSQL cannot be backed up yet.')
  try {
    await copySqlite(source.path, request, onProgress)
    const written = await describeCopy(request, onProgress)
    // From here on nothing is written: what is verified is what takes the name.
    const manifest = openManifest(file)
    if (!isDeepStrictEqual(manifest, written)) {
      throw new OpenError('ioError', `${name} would not hold what was written to it.`)
    }
    const results = await verifyFile(file, { isCurrent: isCurrent(manifest) }, onProgress)
    requireIntact(results, `The copy of ${source.name}`)
    return { manifest, results }
  } catch (error) {
    throw explainFilling(error, { file, name, action: `write ${name}` })
  }
}

/** Copies a served or unserved SQLite store as it is at one moment. */
async function copySqlite(
  path: string,
  { environment, file }: WriteRequest,
  onProgress: OnProgress,
): Promise<void> {
  if (!existsSync(path)) requireSchema(path, { tables: [], pending: [] }, [])
  const real = prepareFile(path)
  let connection: Connection | undefined
  try {
    checkLibrary()
    refuseUntouched(real)
    connection = connect(real)
    pendingFor(connection, real)
    const owner = await environmentIn(connection, selectShapes(connection))
    if (owner !== null) requireOwner(owner, path, environment)
    onProgress({ unit: 'bytes', done: 0, total: selectSizeBytes(connection) })
    vacuumInto(connection, file)
  } catch (error) {
    throw failureOf(error) === 'full' ? error : explainOpening(real, error)
  } finally {
    connection?.close()
  }
}

/** Makes a copy of a store a backup: adds the manifest. */
async function describeCopy(
  { file, program, madeAt }: WriteRequest,
  onProgress: OnProgress,
): Promise<Manifest> {
  const connection = connect(file)
  try {
    writeUnsafely(connection)
    const tables = resetPlace(connection)
    const manifest: Manifest = {
      program,
      schema: selectSchema(connection),
      environment: await environmentIn(connection, tables),
      madeAt,
      engine: 'sqlite',
      tables,
      digests: await digestFile(file, tables, onProgress),
    }
    connection.exec('begin')
    insertManifest(connection, entriesOf(manifest), backupId)
    connection.exec('commit')
    return manifest
  } finally {
    connection.close()
  }
}

/** Empties the tables that describe the place of a store. Returns the others; an older schema may lack some. */
function resetPlace(connection: Connection): BackedUpTable[] {
  const found = selectShapes(connection)
  const declared = new Map(storage.tables.map((table) => [table.name, table]))
  resetTables(
    connection,
    found.flatMap(({ name }) => {
      const table = declared.get(name)
      return table?.isOfPlace ? [table] : []
    }),
  )
  return found
    .filter(({ name }) => !declared.get(name)?.isOfPlace)
    .map((shape) => ({
      ...shape,
      ...(declared.get(shape.name)?.assignsIds ? { assignsIds: true } : {}),
    }))
}

async function environmentIn(
  connection: Connection,
  tables: readonly BackedUpTable[],
): Promise<Environment | null> {
  if (!tables.some(({ name }) => name === 'environment')) return null
  const [owner] = await selectEnvironment.run(connection, [undefined])
  return (owner ?? null) as Environment | null
}
