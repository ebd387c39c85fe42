import { existsSync, statSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { ExitError } from '../../config/exit-error.ts'
import type { CopiedTable } from '../../db/copying/copy-store.ts'
import type { RowReader } from '../../db/copying/copying.ts'
import type { Digests } from '../../db/copying/digests.ts'
import { OpenError } from '../../db/errors.ts'
import { loadMigrations, pendingMigrations } from '../../db/migrate.ts'
import { describeDifferences } from '../../db/schema-difference.ts'
import { applicationIdOf, backupId, storeId } from '../../db/sqlite/application-id.ts'
import { compareSchema } from '../../db/sqlite/compare-schema.ts'
import { type Connection, connect } from '../../db/sqlite/connection.ts'
import { readerOn } from '../../db/sqlite/copying/store-reader.ts'
import { explainOpening } from '../../db/sqlite/locking/prepare.ts'
import { environmentIn, tablesOf } from './copied-tables.ts'
import { encodeDigests, type Manifest, readManifest, unknownManifest } from './manifest.ts'
import {
  createManifest,
  selectApplied,
  selectDamage,
  selectManifest,
  selectManifestTables,
} from './queries.ts'

/** A backup whose manifest and schema this program knows; of its rows nothing was read. */
export type Backup = {
  manifest: Manifest
  tables: readonly CopiedTable[]
  /** Reads the rows. Throws `damaged` where the file is not intact. */
  readRows(): RowReader
  /** Throws `damaged` unless these digests are those of the manifest. */
  requireDigests(digests: Digests): void
  [Symbol.dispose](): void
}

/** Opens a backup, which may be anything. Changes nothing. Throws `damaged`, `newerSchema`, `configuration`, `usage`. */
export function openBackup(file: string): Backup {
  requireBackup(file)
  let connection: Connection | undefined
  try {
    connection = connect(file, 'immutable')
    return backupOn(connection, file)
  } catch (error) {
    connection?.close()
    throw explainReading(file, error)
  }
}

/** What a backup says about itself. Throws as `openBackup` does. */
export function openManifest(file: string): Manifest {
  using backup = openBackup(file)
  return backup.manifest
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

function backupOn(connection: Connection, file: string): Backup {
  const manifest = readKnownManifest(connection, file)
  requireSchema(connection, file, manifest)
  const tables = tablesOf(manifest.schema)
  const isOfTables = isDeepStrictEqual(
    Object.keys(manifest.digests).sort(),
    tables.map(({ name }) => name).sort(),
  )
  if (!isOfTables || environmentIn(connection, tables) !== manifest.environment) {
    throw unknownManifest(file)
  }
  return {
    manifest,
    tables,
    readRows() {
      requireIntact(connection, file)
      return readerOn(connection, file)
    },
    requireDigests: (digests) => requireDigests(file, manifest, digests),
    [Symbol.dispose]: () => connection.close(),
  }
}

/** The table of the manifest is compared first: another could be a view. */
function readKnownManifest(connection: Connection, file: string): Manifest {
  const found = selectManifestTables(connection)
  if (found.length !== 1 || found[0]?.toLowerCase() !== createManifest) throw unknownManifest(file)
  return readManifest(selectManifest(connection), file)
}

/** Before this nothing else of the backup is read: a table could be a view, or have other generated columns. */
function requireSchema(connection: Connection, file: string, { schema }: Manifest) {
  const migrations = loadMigrations('sqlite').map(({ name }) => name)
  if (!migrations.includes(schema)) pendingMigrations(loadMigrations('sqlite'), [schema], file)
  const differences = compareSchema(connection, { last: schema, more: createManifest })
  if (differences.length > 0) {
    throw new OpenError(
      'damaged',
      `${file} does not have the schema of a backup: ${describeDifferences(differences)}. Nothing was changed; use another backup.`,
    )
  }
  const expected = migrations.slice(0, migrations.indexOf(schema) + 1)
  if (!isDeepStrictEqual(selectApplied(connection), expected)) throw unknownManifest(file)
}

/** Reads the structure of all pages, since rows of a damaged tree may have no end. Throws `damaged`. */
function requireIntact(connection: Connection, file: string) {
  let damage: string | undefined
  try {
    damage = selectDamage(connection)
  } catch (error) {
    throw explainReading(file, error)
  }
  if (damage === undefined) return
  throw new OpenError('damaged', `${file} cannot be used. The file is damaged: ${damage}.`)
}

/** A header may ask for what SQLite does not support. */
function explainReading(file: string, error: unknown): Error {
  const explained = explainOpening(file, error)
  if (!('errcode' in explained)) return explained
  return new OpenError('damaged', `${file} cannot be read: ${explained.message}.`, error)
}

function requireDigests(file: string, { digests: expected }: Manifest, digests: Digests) {
  const wrong = Object.entries(encodeDigests(digests))
    .filter(([name, digest]) => expected[name] !== digest)
    .map(([name]) => name)
  if (wrong.length === 0) return
  const names = new Intl.ListFormat('en-GB').format(wrong.sort())
  throw new OpenError(
    'damaged',
    `${file} is damaged: the rows of ${names} are not those that were backed up. Nothing was changed; use another backup.`,
  )
}
