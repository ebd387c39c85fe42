import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

type Query = (text: string) => Promise<{ rows: Record<string, string>[] }>

/**
 * Statements that make a database again: the migrations of the program in `folder`, then all rows and the next ids. Unlike
 * pg_dump it needs nothing but a connection.
 */
export async function dumpPostgres(query: Query, folder: string): Promise<Buffer> {
  const tables = await tablesIn(query)
  const lines = [
    'create table migrations (name text primary key);',
    ...globSync(join(folder, 'migrations/postgres/*.sql'))
      .sort()
      .map((path) => readFileSync(path, 'utf8')),
    // Migrations insert rows too.
    ...tables.map((table) => `delete from ${table};`),
  ]
  for (const table of tables) lines.push(...(await rowsOf(query, table)))
  lines.push(...(await sequencesOf(query)))
  return Buffer.from(`${lines.join('\n')}\n`)
}

async function tablesIn(query: Query): Promise<string[]> {
  const { rows } = await query(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  )
  return rows.map(({ name = '' }) => name)
}

async function rowsOf(query: Query, table: string): Promise<string[]> {
  const { rows } = await query(
    `select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = '${table}' and is_generated = 'NEVER'
    order by ordinal_position`,
  )
  const columns = rows.map(({ name = '' }) => name)
  const values = columns.map((name) => `quote_nullable(${name}::text)`).join(" || ', ' || ")
  const found = await query(`select ${values} as line from ${table} order by ${columns[0]}`)
  return found.rows.map(
    ({ line }) =>
      `insert into ${table} (${columns.join(', ')}) overriding system value values (${line});`,
  )
}

async function sequencesOf(query: Query): Promise<string[]> {
  const { rows } = await query(
    "select schemaname || '.' || sequencename as name, last_value as last from pg_sequences where last_value is not null order by 1",
  )
  return rows.map(({ name, last }) => `select setval('${name}', ${last});`)
}
