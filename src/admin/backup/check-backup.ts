import { existsSync, statSync } from 'node:fs'
import { storage } from '../../app/storage.ts'
import { ExitError } from '../../config/exit-error.ts'
import { OpenError } from '../../db/errors.ts'
import { loadMigrations, pendingMigrations } from '../../db/migrate.ts'
import { describeDifferences } from '../../db/schema-difference.ts'
import { applicationIdOf, backupId, storeId } from '../../db/sqlite/application-id.ts'
import { compareSchema } from '../../db/sqlite/compare-schema.ts'
import { type Connection, connect } from '../../db/sqlite/connection.ts'
import { openFileReader } from '../../db/sqlite/file-reader.ts'
import { explainOpening } from '../../db/sqlite/prepare.ts'
import { openFileScans } from '../../db/sqlite/scan-file.ts'
import { countRows, digestStore } from '../copy/copy-store.ts'
import { type Digests, differences } from '../copy/digests.ts'
import { filesStorage } from '../verify/files.ts'
import { type Result, verifyStore } from '../verify/verify-store.ts'
import { isCurrentSchema } from './current-schema.ts'
import { type BackedUpTable, type Manifest, readManifest } from './manifest.ts'
import type { OnProgress } from './progress.ts'
import { createManifest, selectManifest } from './queries.ts'

/** A backup that is what was written, and what `verify` says of it. */
export type CheckedBackup = { manifest: Manifest; results: readonly Result[] }

/**
 * Reads a whole backup: every row against the digests of its manifest, and what `verify` checks. Changes nothing. Throws
 * `damaged`, `newerSchema`, `configuration`; `usage` where there is no file.
 */
export async function checkBackup(file: string, onProgress: OnProgress): Promise<CheckedBackup> {
  const manifest = openManifest(file)
  await requireDigests({ file, name: file, manifest }, onProgress)
  const results = await verifyFile(
    file,
    { isCurrent: isCurrentSchema(manifest.schema) },
    onProgress,
  )
  requireIntact(results, file)
  return { manifest, results }
}

/** The manifest of a backup, which this program can read, and whose schema is that of its migrations. Throws as `checkBackup`. */
export function openManifest(file: string): Manifest {
  requireBackup(file)
  return reading(file, (connection) => {
    const manifest = readManifest(selectManifest(connection), file)
    const migrations = loadMigrations('sqlite')
    if (!migrations.some(({ name }) => name === manifest.schema)) {
      pendingMigrations(migrations, [manifest.schema], file)
    }
    const differences = compareSchema(connection, { last: manifest.schema, more: createManifest })
    if (differences.length === 0) return manifest
    throw new OpenError(
      'damaged',
      `${file} does not have the schema of a backup: ${describeDifferences(differences)}. Nothing was changed; use another backup.`,
    )
  })
}

function requireBackup(file: string) {
  if (!existsSync(file)) throw new ExitError('usage', `There is no file ${file}.`)
  const id = statSync(file).isFile() ? applicationIdOf(file) : undefined
  if (id === backupId) return
  if (id === storeId) {
    throw new OpenError(
      'configuration',
      `${file} is a store, not a backup: it can be served as it is, with PETSTORE_DATABASE=sqlite:${file}. Nothing was changed.`,
    )
  }
  throw new OpenError(
    'damaged',
    `${file} is not a backup that petstore backup has made, or its beginning is damaged. Nothing was changed.`,
  )
}

/** Compares every row and every last id with the manifest; `name` is for messages. Throws `damaged`. */
export async function requireDigests(
  { file, name, manifest }: { file: string; name: string; manifest: Manifest },
  onProgress: OnProgress,
): Promise<void> {
  const { tables, digests } = manifest
  const wrong = differences(digests, await digestFile(file, tables, onProgress))
  if (wrong.length === 0) return
  const names = new Intl.ListFormat('en-GB').format(wrong)
  throw new OpenError(
    'damaged',
    `${name} is damaged: the rows of ${names} are not those that were backed up. Nothing was changed; use another backup.`,
  )
}

/** The digests of the tables of a file that nobody changes. */
export async function digestFile(
  file: string,
  tables: readonly BackedUpTable[],
  onProgress: OnProgress,
): Promise<Digests> {
  const reader = openFileReader(file)
  try {
    const total = await countRows(reader, tables)
    return await digestStore(reader, tables, (done) => onProgress({ unit: 'rows', done, total }))
  } finally {
    await reader.close()
  }
}

/** What `verify` says of a file that nobody changes. Of an older schema only the file itself is checked. */
export async function verifyFile(
  file: string,
  { isCurrent }: { isCurrent: boolean },
  onProgress: OnProgress,
): Promise<Result[]> {
  const { checks } = isCurrent ? storage : filesStorage
  const scans = openFileScans(file, storage)
  try {
    const results: Result[] = []
    onProgress({ unit: 'checks', done: 0, total: checks.length })
    for await (const result of verifyStore({ db: scans }, checks)) {
      results.push(result)
      onProgress({ unit: 'checks', done: results.length, total: checks.length })
    }
    return results
  } finally {
    scans.close()
  }
}

/** Throws `damaged` for damage of a file. Other findings are the store's own: a repair can be made later. */
export function requireIntact(results: readonly Result[], subject: string): void {
  const damage = results.flatMap(({ findings }) => findings).find((one) => one.forbidsRepairs)
  if (damage !== undefined) {
    throw new OpenError('damaged', `${subject} cannot be used. ${damage.message}`)
  }
}

/** Throws OpenError where the file cannot be read as a database. */
function reading<T>(file: string, read: (connection: Connection) => T): T {
  let connection: Connection | undefined
  try {
    connection = connect(file, 'immutable')
    return read(connection)
  } catch (error) {
    throw explainOpening(file, error)
  } finally {
    connection?.close()
  }
}
