import { statSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { usageError } from '../../config/exit-error.ts'
import {
  type CopiedTable,
  type Digests,
  differences,
  type digestStore,
} from '../../db/copying/copy-store.ts'
import {
  type ClosedFile,
  explainReading,
  kindOf,
  openClosedFile,
} from '../../db/doors/closed-file.ts'
import { copiedTables } from '../../db/doors/tables-at.ts'
import { configurationError, damagedError } from '../../db/errors.ts'
import { early, tooEarly } from '../../db/schema/early.ts'
import { loadMigrations, pendingMigrations } from '../../db/schema/migrate.ts'
import type { Storage } from '../../db/storage.ts'
import type { OnProgress } from '../progress.ts'
import {
  encodeDigests,
  type Manifest,
  readManifest,
  reasonOf,
  unknownManifest,
} from './manifest.ts'
import { selectColumns, selectDamage, selectManifests, selectTables } from './queries.ts'

/** A backup whose manifest is checked; its rows are not. */
type Backup = Disposable & {
  manifest: Manifest
  /** The last migration of a store that takes its rows. */
  schema: string
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
  requireTables(opened, file, ['backup_manifest'])
  const [stored, ...others] = selectManifests(opened)
  if (stored === undefined || others.length > 0) throw unknownManifest(file)
  const manifest = readManifest(stored, file)
  const { last, digests: expected } = manifest
  const schema = manifest.schema === early.schema ? early.asOf : manifest.schema
  const migrations = loadMigrations('sqlite')
  const isKnown = migrations.some(({ name }) => name === schema)
  // Of the versions that call themselves so, only those before the release have other migrations.
  if (!isKnown && manifest.program === '1.0.0') {
    throw tooEarly(
      file,
      'Restore it with the last of those, which upgrades it; then take a backup of the store.',
    )
  }
  if (!isKnown) pendingMigrations(migrations, [schema], file)
  const shapes = copiedTables(storage, { schema, reason: reasonOf(last) })
  const names = shapes.map(({ name }) => name)
  if (!isDeepStrictEqual(Object.keys(expected).sort(), names.sort())) throw unknownManifest(file)
  requireTables(opened, file, names)
  const tables = shapes.map((shape) => inOrderOf(opened, shape))
  return {
    manifest,
    schema,
    async read(work, onProgress) {
      try {
        requireIntact(opened, file)
        if (manifest.schema === early.schema)
          await storage.requireAdoptable?.(opened, file, 'take another backup')
        const digests = await work(opened, tables, onProgress)
        requireDigests(file, manifest, digests)
        return digests
      } catch (error) {
        throw explainReading(file, error)
      }
    },
    [Symbol.dispose]: opened[Symbol.dispose],
  }
}

/** A table with its columns in the order of a file, on which the digest of its rows depends. */
function inOrderOf(opened: ClosedFile, { columns, ...table }: CopiedTable): CopiedTable {
  const names = selectColumns(opened, table.name)
  const place = ({ name }: { name: string }) => names.indexOf(name)
  return { ...table, columns: columns.toSorted((one, other) => place(one) - place(other)) }
}

/** Throws `damaged` where one of these is no ordinary table: rows are read by the names of columns, and nothing else is run. */
function requireTables(opened: ClosedFile, file: string, names: readonly string[]) {
  const present = selectTables(opened)
  const missing = names.filter((name) => !present.includes(name))
  if (missing.length === 0) return
  throw damagedError(
    `${file} is damaged: it has no table ${missing.join(', ')}. Nothing was changed; use another backup.`,
  )
}

/** Checks the structure of all pages: reading the rows of a damaged tree may never end. Throws `damaged`. */
function requireIntact(opened: ClosedFile, file: string) {
  const damage = selectDamage(opened)
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
