import type pg from 'pg'
import { OpenError } from '../errors.ts'
import { backfillsOf, loadMigrations, pendingMigrations } from '../migrate.ts'
import { requireSchema } from '../require-schema.ts'
import type { Backfill, Table } from '../storage.ts'
import { sqlOn } from './sql.ts'

/** Held by whoever migrates; any number will do as long as it is always this one. */
const migrationLock = 7_365_738_712

/** What the promises of this service need of a server, and what a server can be set to instead. */
type SettingIssue = { isFatal: boolean; sentence: string }

/** Brings the database to this program's schema; starters that race do it once, one after the other. */
export async function migrate(
  client: pg.ClientBase,
  database: string,
  backfills: readonly Backfill[],
): Promise<void> {
  await client.query(`select pg_advisory_lock(${migrationLock})`)
  try {
    const { pending } = await look(client, database)
    if (pending.length === 0) return
    await client.query('create table if not exists migrations (name text primary key)')
    for (const { name, sql } of pending) {
      await inTransaction(client, async () => {
        await client.query(sql)
        for (const backfill of backfillsOf(backfills, name)) await backfill.run(sqlOn(client))
        await client.query('insert into migrations (name) values ($1)', [name])
      })
    }
  } finally {
    // Where the connection broke, the lock is gone with it, and the reason must not be.
    await client.query(`select pg_advisory_unlock(${migrationLock})`).catch(() => undefined)
  }
}

/** Throws what `requireSchema` throws, and `newerSchema`. Changes nothing. */
export async function requireSchemaIn(
  client: pg.ClientBase,
  database: string,
  tables: readonly Table[],
): Promise<void> {
  requireSchema(database, await look(client, database), tables)
}

async function look(client: pg.ClientBase, database: string) {
  const { rows: found } = await client.query<{ name: string }>(
    'select tablename as name from pg_tables where schemaname = any(current_schemas(false))',
  )
  const tables = found.map(({ name }) => name)
  const { rows } = tables.includes('migrations')
    ? await client.query<{ name: string }>('select name from migrations order by name')
    : { rows: [] }
  const applied = rows.map(({ name }) => name)
  return { tables, pending: pendingMigrations(loadMigrations('postgres'), applied, database) }
}

/** Lets these tables give out ids from `firstId` on, each unless it is beyond already. */
export async function startIds(
  client: pg.ClientBase,
  tables: readonly string[],
  firstId: bigint,
): Promise<void> {
  await client.query(
    `select setval(sequence, greatest($1::bigint, nextval(sequence)), false)
    from (select pg_get_serial_sequence(quote_ident(table_name), column_name) as sequence
      from information_schema.columns
      where table_schema = current_schema() and is_identity = 'YES' and table_name = any($2)) as identities`,
    [String(firstId), tables],
  )
}

/** What is wrong with how the server is set up, worst first. */
export async function findSettingIssues(client: pg.ClientBase): Promise<SettingIssue[]> {
  const { rows } = await client.query<Record<'fsync' | 'commit' | 'pages' | 'encoding', string>>(
    `select current_setting('fsync') as fsync, current_setting('full_page_writes') as pages,
    (select reset_val from pg_settings where name = 'synchronous_commit') as commit,
    current_setting('server_encoding') as encoding`,
  )
  const [{ fsync, commit, pages, encoding }] = rows as [
    Record<'fsync' | 'commit' | 'pages' | 'encoding', string>,
  ]
  const issues: SettingIssue[] = []
  if (encoding !== 'UTF8') {
    issues.push({
      isFatal: true,
      sentence: `its encoding is ${encoding}; names of pets need UTF8`,
    })
  }
  if (fsync === 'off') {
    issues.push({
      isFatal: true,
      sentence: 'fsync is off: a crash of its machine loses what was acknowledged',
    })
  }
  if (pages === 'off') {
    issues.push({
      isFatal: false,
      sentence: 'full_page_writes is off: a crash of its machine can damage it',
    })
  }
  if (commit === 'off' || commit === 'local') {
    issues.push({
      isFatal: false,
      sentence: `synchronous_commit is ${commit}; this service sets it on for its own sessions`,
    })
  }
  return issues
}

/** Throws `configuration` for a server that cannot keep the promises; warns of the rest. */
export function enforceSettings(
  issues: readonly SettingIssue[],
  database: string,
  warn: (sentence: string) => void,
): void {
  const fatal = issues.find(({ isFatal }) => isFatal)
  if (fatal)
    throw new OpenError('configuration', `${database} cannot be served: ${fatal.sentence}.`)
  for (const { sentence } of issues) warn(`${database}: ${sentence}.`)
}

async function inTransaction(client: pg.ClientBase, work: () => Promise<void>) {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}
