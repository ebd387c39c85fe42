import { statSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { usageError } from '../../config/exit-error.ts'
import { type Digests, differences, type digestStore } from '../../db/copying/copy-store.ts'
import {
  type ClosedFile,
  explainReading,
  kindOf,
  openClosedFile,
} from '../../db/doors/closed-file.ts'
import { copiedTables } from '../../db/doors/tables-at.ts'
import { configurationError, damagedError } from '../../db/errors.ts'
import { loadMigrations, pendingMigrations } from '../../db/migrate.ts'
import { describeDifferences } from '../../db/schema-difference.ts'
import type { Storage } from '../../db/storage.ts'
import type { OnProgress } from '../progress.ts'
import { encodeDigests, type Manifest, readManifest, unknownManifest } from './manifest.ts'
import {
  createManifest,
  selectApplied,
  selectDamage,
  selectManifests,
  selectManifestTables,
  selectOwner,
} from './queries.ts'

/** A backup whose manifest and schema are checked; its rows are not. */
type Backup = Disposable & {
  manifest: Manifest
  /** Runs work that reads all rows. Throws `damaged` where the file is not intact or its digests differ from the manifest. */
  read(work: typeof digestStore, onProgress: OnProgress): Promise<Digests>
}

/** Opens an untrusted backup. Changes nothing. Throws `damaged`, `newerSchema`, `configuration`, `usage`. */
export function openBackup(storage: Storage, file: string): Backup {
  requireBackup(file)
  const opened = openClosedFile(file)
  try {
    return backupOn(opened, file, storage)
  } catch (error) {
    opened[Symbol.dispose]()
    throw explainReading(file, error)
  }
}

/** What a backup says about itself. Throws as `openBackup` does. */
export function openManifest(storage: Storage, file: string): Manifest {
  using backup = openBackup(storage, file)
  return backup.manifest
}

function requireBackup(file: string) {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) throw usageError(`There is no file ${file}.`)
  if (!found.isFile())
    throw usageError(
      `${file} is no regular file. A backup is read several times: save what a pipe has in a file first.`,
    )
  const kind = kindOf(file)
  if (kind === 'backup') return
  if (kind === 'store') {
    throw configurationError(
      `${file} is a store, not a backup: it can be served as it is, with PETSTORE_DATABASE=sqlite:${file}. Nothing was changed.`,
    )
  }
  throw damagedError(
    `${file} is not a backup that petstore backup has made, or its beginning is damaged. Nothing was changed.`,
  )
}

function backupOn(opened: ClosedFile, file: string, storage: Storage): Backup {
  const manifest = readKnownManifest(opened, file)
  requireSchema(opened, file, manifest)
  const tables = copiedTables(storage, manifest.schema)
  const isOfTables = isDeepStrictEqual(
    Object.keys(manifest.digests).sort(),
    tables.map(({ name }) => name).sort(),
  )
  if (!isOfTables || selectOwner(opened, tables) !== manifest.environment) {
    throw unknownManifest(file)
  }
  return {
    manifest,
    async read(work, onProgress) {
      requireIntact(opened, file)
      const digests = await work(opened, tables, onProgress)
      requireDigests(file, manifest, digests)
      return digests
    },
    [Symbol.dispose]: opened[Symbol.dispose],
  }
}

/** Compares the table of the manifest first: it could be a view. */
function readKnownManifest(opened: ClosedFile, file: string): Manifest {
  const found = selectManifestTables(opened)
  if (found.length !== 1 || found[0]?.toLowerCase() !== createManifest) throw unknownManifest(file)
  const [stored, ...others] = selectManifests(opened)
  if (stored === undefined || others.length > 0) throw unknownManifest(file)
  return readManifest(stored, file)
}

/** Runs before any other table is read: one could be a view, or have other generated columns. */
function requireSchema(opened: ClosedFile, file: string, { schema }: Manifest) {
  const migrations = loadMigrations('sqlite').map(({ name }) => name)
  if (!migrations.includes(schema)) pendingMigrations(loadMigrations('sqlite'), [schema], file)
  const differences = opened.compareSchema({ last: schema, more: createManifest })
  if (differences.length > 0) {
    throw damagedError(
      `${file} does not have the schema of a backup: ${describeDifferences(differences)}. Nothing was changed; use another backup.`,
    )
  }
  const expected = migrations.slice(0, migrations.indexOf(schema) + 1)
  if (!isDeepStrictEqual(selectApplied(opened), expected)) throw unknownManifest(file)
}

/** Checks the structure of all pages: reading the rows of a damaged tree may never end. Throws `damaged`. */
function requireIntact(opened: ClosedFile, file: string) {
  let damage: string | undefined
  try {
    damage = selectDamage(opened)
  } catch (error) {
    throw explainReading(file, error)
  }
  if (damage === undefined) return
  throw damagedError(`${file} cannot be used. The file is damaged: ${damage}.`)
}

function requireDigests(file: string, { digests: expected }: Manifest, digests: Digests) {
  const wrong = differences(encodeDigests(digests), expected)
  if (wrong.length === 0) return
  const names = new Intl.ListFormat('en-GB').format(wrong)
  throw damagedError(
    `${file} is damaged: the rows of ${names} are not those that were backed up. Nothing was changed; use another backup.`,
  )
}
