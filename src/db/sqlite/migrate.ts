import { existsSync } from 'node:fs'
import { configurationError, damagedError, OpenError } from '../errors.ts'
import { loadMigrations, pendingMigrations } from '../schema/migrate.ts'
import { lacking, requireSchema } from '../schema/require-schema.ts'
import { readMark, requireUnmarked, type StoreMark, storeMarkTable } from '../schema/store-mark.ts'
import type { Storage } from '../storage.ts'
import { type Connection, connect, inMemory } from './connection.ts'
import { backupId, storeId } from './file-header.ts'

/** As `findPending`, for a database that is to be used; also throws `configuration` for one that is marked. */
export function pendingFor(connection: Connection, path: string) {
  const pending = findPending(connection, path)
  requireUnmarkedIn(connection, path)
  return pending
}

/** Throws `configuration` for a marked database. */
export function requireUnmarkedIn(connection: Connection, path: string): void {
  requireUnmarked(findMark(connection), path)
}

/** Why a database is not served; an outdated one has no marks. */
export function findMark(connection: Connection): StoreMark | undefined {
  return tablesIn(connection).includes(storeMarkTable) ? readMark(connection) : undefined
}

/** The pending migrations. Changes nothing. Throws `damaged` for a foreign database, `newerSchema`. */
export function findPending(connection: Connection, path: string) {
  const [[id]] = connection.all<[bigint]>('pragma application_id') as [[bigint]]
  const rows = connection.all<[string]>('select name from sqlite_schema')
  const names = rows.map(([name]) => name)
  if (id === BigInt(backupId)) {
    throw configurationError(
      `${path} is a backup, which is not served. Restore it into a store: petstore restore ${path}`,
    )
  }
  if (id !== BigInt(storeId) && (id !== 0n || names.length > 0)) {
    throw damagedError(`${path} is a SQLite database of another program. Nothing was changed.`)
  }
  if (names.length > 0 && !names.includes('migrations')) throw lacking(path, ['migrations'])
  return pendingMigrations(loadMigrations('sqlite'), appliedIn(connection), path)
}

/** The names of the migrations that were applied, in order; none where there is no store yet. */
export function appliedIn(connection: Connection): string[] {
  if (!tablesIn(connection).includes('migrations')) return []
  const rows = connection.all<[string]>('select name from migrations order by name')
  return rows.map(([name]) => name)
}

/** Throws the errors of `pendingFor` and `requireSchema`. Changes nothing. */
export function requireSchemaIn(
  connection: Connection,
  path: string,
  { storage: { tables }, admitsMarked = false }: Existing,
): void {
  const pending = findPending(connection, path)
  requireSchema(path, { tables: tablesIn(connection), pending }, tables)
  if (!admitsMarked) requireUnmarkedIn(connection, path)
}

export function tablesIn(connection: Connection): string[] {
  const rows = connection.all<[string]>("select name from sqlite_schema where type = 'table'")
  return rows.map(([name]) => name)
}

/** The name of the last migration that was applied; `undefined` where there is no store yet. */
export function lastMigration(connection: Connection): string | undefined {
  return appliedIn(connection).at(-1)
}

/** What a database must have that is not to be changed. */
type Existing = { storage: Pick<Storage, 'tables'>; admitsMarked?: boolean | undefined }

/**
 * Runs `refuse` on a read-only connection where an unclean exit left a log: a writable connection would copy the log
 * into a database that must stay unchanged. Returns whether it was run.
 */
export function refuseUntouched(
  path: string,
  refuse: (connection: Connection, path: string) => unknown,
): boolean {
  if (!existsSync(`${path}-wal`)) return false
  using connection = connect(path, 'read')
  refuse(connection, path)
  return true
}

const createMigrations = 'create table if not exists migrations (name text primary key) strict'

/** A database in memory with the schema of the migrations up to `last`, or of all, and the rows that they insert. */
export function openReference(last?: string): Connection {
  const connection = connect(inMemory)
  connection.exec(createMigrations)
  for (const { name, sql } of loadMigrations('sqlite')) {
    connection.exec(sql)
    if (name === last) break
  }
  return connection
}

type MigrateOptions = {
  /** The last migration to apply. */
  last?: string | undefined
  /** Called before an empty store is created. */
  onCreate?: (() => void) | undefined
}

/** Migrates the database, each migration in its own transaction: after a crash the next start continues. */
export function migrate(
  connection: Connection,
  path: string,
  { last, onCreate }: MigrateOptions = {},
): void {
  const pending = pendingFor(connection, path)
  if (onCreate && tablesIn(connection).length === 0) onCreate()
  const [[mode]] = connection.all<[string]>('pragma journal_mode = wal') as [[string]]
  if (mode !== 'wal' && mode !== 'memory') {
    throw new OpenError('ioError', `${path} cannot have a write-ahead log on this file system.`)
  }
  // A start on a full disk writes nothing, so it can still serve reads.
  if (pending.length === 0) return
  inTransaction(connection, () => {
    connection.exec(`pragma application_id = ${storeId}`)
    connection.exec(createMigrations)
  })
  for (const { name, sql } of pending) {
    inTransaction(connection, () => {
      connection.exec(sql)
      connection.all('insert into migrations (name) values (?1)', [name])
    })
    if (name === last) break
  }
}

function inTransaction(connection: Connection, work: () => void) {
  connection.exec('begin immediate')
  try {
    work()
    connection.exec('commit')
  } catch (error) {
    if (connection.isTransaction) connection.exec('rollback')
    throw error
  }
}
