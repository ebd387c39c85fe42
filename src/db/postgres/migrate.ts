import type pg from 'pg'
import { configurationError, type OpenError } from '../errors.ts'
import { loadMigrations, pendingMigrations } from '../schema/migrate.ts'
import { noStore, requireSchema } from '../schema/require-schema.ts'
import { type StoreMark, selectMark, storeMarkTable } from '../schema/store-mark.ts'
import type { Storage, Table } from '../storage.ts'
import { sqlOn } from './sql.ts'

/** The advisory lock of migrations; an arbitrary constant. */
const migrationLock = 7_365_738_712

const migrationsTable = 'create table if not exists migrations (name text primary key)'

/** A server setting that breaks a guarantee of the service. */
type SettingIssue = { isFatal: boolean; sentence: string }

type MigrateOptions = {
  /** Whether `configuration` is thrown where there is no store; else one is created. */
  mustExist?: boolean | undefined
  /** Called before an empty store is created. */
  onCreate?: (() => void) | undefined
}

/** Migrates the database; concurrent starts wait for the advisory lock, and migrate once. After an error, do not use the session again. */
export async function migrate(
  client: pg.ClientBase,
  database: string,
  { mustExist, onCreate }: MigrateOptions,
): Promise<void> {
  await client.query(`select pg_advisory_lock(${migrationLock})`)
  try {
    const { tables, pending } = await readSchemaState(client, database)
    if (pending.length === 0) return
    const isNew = !tables.includes('migrations')
    if (isNew && mustExist) throw noStore(database)
    await client.query(migrationsTable)
    if (isNew) onCreate?.()
    for (const migration of pending) {
      await client.query('begin')
      await apply(client, migration)
      await client.query('commit')
    }
  } finally {
    // Fails in a failed transaction, or if the connection broke: then the lock ends with the session.
    await client.query(`select pg_advisory_unlock(${migrationLock})`).catch(() => undefined)
  }
}

/** Creates an empty store, or applies what is pending, in the transaction that is open. */
export async function createStore(
  client: pg.ClientBase,
  pending = loadMigrations('postgres'),
): Promise<void> {
  await client.query(migrationsTable)
  for (const migration of pending) await apply(client, migration)
}

async function apply(
  client: pg.ClientBase,
  { name, sql }: { name: string; sql: string },
): Promise<void> {
  await client.query(sql)
  await client.query('insert into migrations (name) values ($1)', [name])
}

/** Throws the errors of `requireSchema`, and `newerSchema`. Changes nothing. */
export async function requireSchemaIn(
  client: pg.ClientBase,
  database: string,
  tables: readonly Table[],
): Promise<void> {
  requireSchema(database, await readSchemaState(client, database), tables)
}

/** The tables of the schema, and the pending migrations. Throws `newerSchema`, `configuration` for a store of before 1.0.0. */
export async function readSchemaState(client: pg.ClientBase, database: string) {
  const { tables, applied } = await readSchema(client)
  return { tables, pending: pendingMigrations(loadMigrations('postgres'), applied, database) }
}

/** The tables of the schema, and the applied migrations in order. */
export async function readSchema(client: pg.ClientBase) {
  const { rows: found } = await client.query<{ name: string }>(
    'select tablename as name from pg_tables where schemaname = any(current_schemas(false))',
  )
  const tables = found.map(({ name }) => name)
  const { rows } = tables.includes('migrations')
    ? await client.query<{ name: string }>('select name from migrations order by name')
    : { rows: [] }
  return { tables, applied: rows.map(({ name }) => name) }
}

/** Finds wrong server settings, the worst first. */
export async function findSettingIssues(client: pg.ClientBase): Promise<SettingIssue[]> {
  const { rows } = await client.query<Record<'fsync' | 'commit' | 'pages' | 'encoding', string>>(
    `select current_setting('fsync') as fsync, current_setting('full_page_writes') as pages,
    (select reset_val from pg_settings where name = 'synchronous_commit') as commit,
    current_setting('server_encoding') as encoding`,
  )
  const { fsync, commit, pages, encoding } = rows[0] as (typeof rows)[0]
  const fatal = {
    [`its encoding is ${encoding}; names of pets need UTF8`]: encoding !== 'UTF8',
    'fsync is off: a crash of its machine loses what was acknowledged': fsync === 'off',
  }
  const others = {
    'full_page_writes is off: a crash of its machine can damage it': pages === 'off',
    [`synchronous_commit is ${commit}; this service sets it on for its own sessions`]:
      commit === 'off' || commit === 'local',
  }
  const found = Object.entries({ ...fatal, ...others }).filter(([, isFound]) => isFound)
  return found.map(([sentence]) => ({ isFatal: sentence in fatal, sentence }))
}

/** Throws `configuration` for fatal issues; warns of the others. */
export function enforceSettings(
  issues: readonly SettingIssue[],
  database: string,
  warn: (sentence: string) => void,
): void {
  for (const { isFatal, sentence } of issues) {
    if (isFatal) throw configurationError(`${database} cannot be served: ${sentence}.`)
    warn(`${database}: ${sentence}.`)
  }
}

/** What is in a database: nothing, a store, or what an interrupted restore has left. */
export type FoundStore =
  | { state: 'empty' | 'store'; mark?: undefined }
  | { state: 'unfinished'; mark: StoreMark }

/** Examines a database. Without rows besides those that the migrations insert, it is empty. Throws `newerSchema`. */
export async function examineStore(
  client: pg.ClientBase,
  name: string,
  { tables }: Pick<Storage, 'tables'>,
): Promise<FoundStore> {
  const { tables: present } = await readSchemaState(client, name)
  const mark = present.includes(storeMarkTable) ? await selectMark(sqlOn(client)) : undefined
  if (mark?.state === 'arriving') return { state: 'unfinished', mark }
  for (const { name, firstRows = [] } of tables.filter((table) => present.includes(table.name))) {
    const { rows } = await client.query(`select 1 from ${name} limit $1`, [firstRows.length + 1])
    if (rows.length > firstRows.length) return { state: 'store' }
  }
  return { state: 'empty' }
}

/** The error for writing a store where there is one already. */
export function storeExists(name: string): OpenError {
  return configurationError(
    `There is a store at ${name} already. Nothing was changed; name a database without one.`,
  )
}
