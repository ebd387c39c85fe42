import { existsSync } from 'node:fs'
import { OpenError } from '../errors.ts'
import { backfillsOf, loadMigrations, pendingMigrations } from '../migrate.ts'
import { lacking, requireSchema } from '../require-schema.ts'
import type { Backfill, Table } from '../storage.ts'
import { type Connection, connect } from './connection.ts'

/** 'pets' in ASCII: identifies the service's files among SQLite databases. */
const applicationId = 0x70657473

/** The pending migrations. Changes nothing. Throws `damaged` for a foreign database, `newerSchema`. */
export function pendingFor(connection: Connection, path: string) {
  const [[id]] = connection.all<[bigint]>('pragma application_id') as [[bigint]]
  const rows = connection.all<[string]>('select name from sqlite_schema')
  const names = rows.map(([name]) => name)
  if (id !== BigInt(applicationId) && (id !== 0n || names.length > 0)) {
    throw new OpenError(
      'damaged',
      `${path} is a SQLite database of another program. Nothing was changed.`,
    )
  }
  if (names.length > 0 && !names.includes('migrations')) throw lacking(path, ['migrations'])
  const applied =
    names.length === 0 ? [] : connection.all<[string]>('select name from migrations order by name')
  return pendingMigrations(
    loadMigrations('sqlite'),
    applied.map(([name]) => name),
    path,
  )
}

/** Throws the errors of `pendingFor` and `requireSchema`. Changes nothing. */
export function requireSchemaIn(
  connection: Connection,
  path: string,
  tables: readonly Table[],
): void {
  const pending = pendingFor(connection, path)
  const rows = connection.all<[string]>("select name from sqlite_schema where type = 'table'")
  requireSchema(path, { tables: rows.map(([name]) => name), pending }, tables)
}

/**
 * Runs `refuse` on a read-only connection where an unclean exit left a log: a writable connection would copy the log
 * into a database that must stay unchanged.
 */
export function refuseUntouched(
  path: string,
  refuse: (connection: Connection, path: string) => unknown = pendingFor,
): void {
  if (!existsSync(`${path}-wal`)) return
  const connection = connect(path, 'read')
  try {
    refuse(connection, path)
  } finally {
    connection.close()
  }
}

/** Migrates the database, each migration in its own transaction: after a crash the next start continues. */
export async function migrate(
  connection: Connection,
  path: string,
  backfills: readonly Backfill[],
): Promise<void> {
  const pending = pendingFor(connection, path)
  const [[mode]] = connection.all<[string]>('pragma journal_mode = wal') as [[string]]
  if (mode !== 'wal' && mode !== 'memory') {
    throw new OpenError('ioError', `${path} cannot have a write-ahead log on this file system.`)
  }
  // A start on a full disk writes nothing, so it can still serve reads.
  if (pending.length === 0) return
  await inTransaction(connection, () => {
    connection.exec(`pragma application_id = ${applicationId}`)
    connection.exec('create table if not exists migrations (name text primary key) strict')
  })
  for (const { name, sql } of pending) {
    await inTransaction(connection, async () => {
      connection.exec(sql)
      for (const backfill of backfillsOf(backfills, name)) await backfill.run(connection)
      connection.all('insert into migrations (name) values (?1)', [name])
    })
  }
}

/** Makes these tables assign ids from `firstId` on, unless theirs are higher. */
export async function startIds(
  connection: Connection,
  tables: readonly string[],
  firstId: bigint,
): Promise<void> {
  await inTransaction(connection, async () => {
    for (const table of tables) await connection.skipIds(table, firstId - 1n)
  })
}

async function inTransaction(connection: Connection, work: () => void | Promise<void>) {
  connection.exec('begin immediate')
  try {
    await work()
    connection.exec('commit')
  } catch (error) {
    if (connection.isTransaction) connection.exec('rollback')
    throw error
  }
}
