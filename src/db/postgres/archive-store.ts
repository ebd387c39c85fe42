import type pg from 'pg'
import type { CopiedTable } from '../copying/copy-store.ts'
import { early, requireEarly } from '../schema/early.ts'
import type { AssignedIds } from '../schema/last-ids.ts'
import { loadMigrations } from '../schema/migrate.ts'
import { type StoreMark, writeMark } from '../schema/store-mark.ts'
import type { Storage, Table } from '../storage.ts'
import { createStore, examineStore, type FoundStore, readSchema } from './migrate.ts'
import { type Database, openAlone } from './open-client.ts'
import { sqlOn } from './sql.ts'
import { refuseMarked } from './store-lock.ts'

/** The beginning of the names of schemas with stores that were replaced. */
const asideStart = 'petstore_replaced_'

/**
 * Looks at the place for a store; `used` are the ids that it has assigned, and those that were kept aside before. Throws
 * `alreadyServed`, `newerSchema`. Changes nothing.
 */
export async function examinePlace(database: Database, storage: Storage) {
  return whileHeld(database, async (client) => {
    const found = await examineStore(client, database.name, storage)
    const ids = await readLastIds(client, storage.tables, found.state)
    const used: AssignedIds = { ids, isExact: found.state === 'store' }
    return { ...found, used }
  })
}

/**
 * Moves the tables of a store to a schema of their own, and creates an empty store with this mark, in one transaction: no
 * service can start on the empty store. Returns the name of the schema. Throws OpenError.
 */
export async function archiveStore(
  database: Database,
  storage: Storage,
  mark: StoreMark,
): Promise<string> {
  return whileHeld(database, async (client) => {
    await client.query('begin')
    const schema = await moveAside(client, storage, mark.markedAt)
    await createStore(client)
    await writeMark(sqlOn(client), mark)
    await client.query('commit')
    return schema
  })
}

/**
 * Puts a store of this version in the place of one of before 1.0.0, in one transaction. The old tables are kept in a schema of their own, whose
 * name is returned. Throws OpenError.
 */
export function adoptPostgres(
  database: Database,
  storage: Storage,
  tables: readonly CopiedTable[],
  nowMs: number,
): Promise<string> {
  const { name } = database
  return whileHeld(database, async (client) => {
    requireEarly((await readSchema(client)).applied, name)
    await refuseMarked(client, name)
    const sql = sqlOn(client)
    await storage.requireAdoptable?.(sql, name)
    const migrations = loadMigrations('postgres')
    const first = migrations.findIndex((one) => one.name === early.asOf) + 1
    await client.query('begin')
    const schema = await moveAside(client, storage, nowMs)
    await createStore(client, migrations.slice(0, first))
    for (const { name: table, columns, assignsIds } of tables) {
      const names = columns.map((column) => column.name).join(', ')
      await client.query(
        `delete from ${table}; insert into ${table} (${names}) select ${names} from ${schema}.${table}; analyze ${table}`,
      )
      if (assignsIds) await sql.skipIds(table, await sql.lastId(`${schema}.${table}`))
    }
    await createStore(client, migrations.slice(first))
    await client.query('commit')
    return schema
  })
}

/** Moves the tables of a store to a schema of their own, whose name is returned. */
async function moveAside(client: pg.ClientBase, storage: Storage, nowMs: number): Promise<string> {
  const time = new Date(nowMs).toISOString().replace('Z', '')
  const schema = `${asideStart}${time.replaceAll(/\D/g, '_')}`
  const tables = await tablesIn(client, 'current_schema()', storage)
  await client.query(`create schema ${schema}`)
  for (const table of tables) await client.query(`alter table ${table} set schema ${schema}`)
  return schema
}

/** Undoes `archiveStore`: what was put in its place is dropped. Throws OpenError. */
export async function restoreArchive(
  database: Database,
  storage: Storage,
  schema: string,
): Promise<void> {
  await whileHeld(database, async (client) => {
    await client.query('begin')
    const unfinished = await tablesIn(client, 'current_schema()', storage)
    await client.query(`drop table ${unfinished.join(', ')}`)
    const { rows } = await client.query<{ name: string }>(
      'select quote_ident(current_schema()) as name',
    )
    for (const table of await tablesIn(client, `'${schema}'`, storage)) {
      await client.query(`alter table ${schema}.${table} set schema ${rows[0]?.name}`)
    }
    await client.query(`drop schema ${schema}`)
    await client.query('commit')
  })
}

function whileHeld<T>(database: Database, work: (client: pg.Client) => Promise<T>): Promise<T> {
  return openAlone(database, async (client) => {
    const result = await work(client)
    await client.end()
    return result
  })
}

/** The tables of the program in a schema, `migrations` included. */
async function tablesIn(
  client: pg.ClientBase,
  schema: string,
  { tables }: Pick<Storage, 'tables'>,
): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = ${schema} and tablename = any($1)`,
    [['migrations', ...tables.map(({ name }) => name)]],
  )
  return rows.map(({ name }) => name)
}

/** What an interrupted restore has left was not used. */
async function readLastIds(
  client: pg.ClientBase,
  tables: readonly Table[],
  state: FoundStore['state'],
): Promise<Record<string, bigint>> {
  const { all, lastId } = sqlOn(client)
  const names = tables.flatMap(({ name, assignsIds }) => (assignsIds ? [name] : []))
  const found = await all<[schema: string, name: string, sequence: string | null]>(
    `select quote_ident(schemaname), tablename, pg_get_serial_sequence(format('%I.%I', schemaname, tablename), 'id') from pg_tables
    where (starts_with(schemaname, '${asideStart}') or ?2 <> 'unfinished' and schemaname = current_schema())
      and tablename = any(string_to_array(?1, ' '))`,
    [names.join(' '), state],
  )
  const lastIds: Record<string, bigint> = {}
  for (const [schema, name, sequence] of found) {
    const table = `${schema}.${name}`
    const [row] = await all<[bigint]>(`select coalesce(max(id), 0) from ${table}`)
    // A damaged store may have lost the sequence.
    for (const last of [row?.[0] ?? 0n, sequence === null ? 0n : await lastId(table)])
      if (last > (lastIds[name] ?? -1n)) lastIds[name] = last
  }
  return lastIds
}
