import pg from 'pg'
import { configurationError } from '../errors.ts'
import type { Host, PostgresAddress } from './address.ts'

/** How long a host may take to accept a connection, and again to report its role. */
export const connectMaxMs = 1_000

/** The history of a server: a promoted standby begins a new one, with a higher number. */
export type Timeline = { system: string; number: number }

/** A session on a primary. */
export type Session = {
  client: pg.Client
  host: Host
  /** The process of the server that serves it. */
  pid: number
  /** Undefined where the server does not tell it. */
  timeline: Timeline | undefined
}

/** `pipeline` is missing in the types of `pg`. */
type SessionOptions = pg.ClientConfig & { pipeline?: boolean }

const selectRole = `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean, pg_backend_pid()`

/** What every role may read. The control file has the timeline of the last checkpoint, which can be older. */
const selectTimeline = `select system_identifier::text, pg_walfile_name(pg_current_wal_lsn())
  from pg_control_system() where not pg_is_in_recovery()`

/** Opens a session on a host. Throws unless it is a primary. */
export async function openSession(
  { client: config }: PostgresAddress,
  host: Host,
  options: SessionOptions = {},
): Promise<Session> {
  const client = new pg.Client({
    ...options,
    ...config,
    ...host,
    connectionTimeoutMillis: connectMaxMs,
    keepAlive: true,
  })
  // The pending statement rejects; without a listener the process would end.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const asked = readTimeline(client)
    asked.catch(() => undefined)
    const [role] = await select<[isStandby: boolean, pid: number]>(client, selectRole)
    const [isStandby, pid] = role as [boolean, number]
    if (isStandby) throw new Error('it is a standby, or read-only')
    return { client, host, pid, timeline: await asked }
  } catch (error) {
    endSession(client)
    throw error
  }
}

/** Ends a session without waiting for its server. */
export function endSession(client: pg.ClientBase): void {
  void (client as pg.Client).end().catch(() => undefined)
}

/** Some services of clouds refuse these functions. */
async function readTimeline(client: pg.Client): Promise<Timeline | undefined> {
  try {
    const [row] = await select<[system: string, file: string]>(client, selectTimeline)
    return row && { system: row[0], number: Number.parseInt(row[1].slice(0, 8), 16) }
  } catch (error) {
    if (error instanceof pg.DatabaseError) return undefined
    throw error
  }
}

/**
 * The schema of the store: the first of the search path that has one, else `public` if it has one, else where the search
 * path creates tables, else `public`.
 */
const storeSchema = `coalesce(
  (select name from unnest(current_schemas(false)) with ordinality as path (name, position)
    where exists (select from pg_tables where schemaname = name and tablename = 'migrations')
    order by position limit 1),
  (select schemaname from pg_tables where schemaname = 'public' and tablename = 'migrations'),
  current_schema(), 'public')`

/** Only the schema of the store is searched. Null where it does not exist, or the role may not use it. */
const storePath = `select quote_ident(nspname) || ', pg_temp' from pg_namespace
  where nspname = ${storeSchema} and has_schema_privilege(oid, 'usage')`

const setSession = `select case when current_setting('synchronous_commit') in ('off', 'local')
    then set_config('synchronous_commit', 'on', false) end,
  (select count(set_config(name, value, false)) from unnest($2::text[], $3::text[]) as own (name, value)
    where current_setting(name, true) is not null),
  (select set_config('search_path', path, false) from (select coalesce($1, (${storePath})) as path) as store
    where path is not null)`

/** Settings of a session by their names in PostgreSQL; times in milliseconds. */
type Settings = Readonly<Record<string, string | number>>

/**
 * Pinned for every session: how literals, arrays and definitions are read and printed, how transactions begin, what is
 * reported, and no time limits. Read-only sessions, tablespaces and planner costs are left to the operator. Settings that
 * a version of PostgreSQL does not have are left out.
 */
const pinned: Settings = {
  array_nulls: 'on',
  backslash_quote: 'safe_encoding',
  bytea_output: 'hex',
  client_encoding: 'UTF8',
  // An unconfirmed commit only causes a warning.
  client_min_messages: 'warning',
  DateStyle: 'ISO, MDY',
  default_transaction_deferrable: 'off',
  default_transaction_isolation: 'read committed',
  extra_float_digits: 1,
  idle_in_transaction_session_timeout: 0,
  idle_session_timeout: 0,
  IntervalStyle: 'postgres',
  lock_timeout: 0,
  // Statements are written so that one plan fits all parameters, and planning a search takes longer than running it.
  plan_cache_mode: 'force_generic_plan',
  quote_all_identifiers: 'off',
  standard_conforming_strings: 'on',
  statement_timeout: 0,
  TimeZone: 'UTC',
  transaction_timeout: 0,
  transform_null_equals: 'off',
}

/**
 * Pins the settings of a session, with these time limits, overriding server, database, role and address, in one statement:
 * poolers refuse them as parameters of a connection. Without a `searchPath` it looks for the store. Returns the path to it.
 * Throws `configuration` where there is no schema for it.
 */
export async function prepareSession(
  client: pg.Client,
  limits: Settings = {},
  searchPath?: string,
): Promise<string> {
  const settings = { ...pinned, ...limits }
  const values = [searchPath, Object.keys(settings), Object.values(settings).map(String)]
  const [row] = await select<(string | null)[]>(client, setSession, values)
  const path = row?.at(-1)
  if (typeof path === 'string') return path
  throw configurationError(
    `The database ${client.database} has no schema for the store: this role may use neither one of its search_path nor public. Create one as the owner of the database (create schema public), or grant usage on it.`,
  )
}

/** Rows as arrays; the server has a second for them. */
export async function select<R extends unknown[]>(
  client: pg.ClientBase,
  text: string,
  values: unknown[] = [],
): Promise<R[]> {
  const config = { text, values, rowMode: 'array', query_timeout: connectMaxMs }
  return (await client.query<R>(config as pg.QueryArrayConfig)).rows
}
