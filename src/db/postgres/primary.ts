import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { instantMs } from '../deadline.ts'
import { OpenError } from '../errors.ts'
import type { PostgresAddress } from './address.ts'

/** How long a host may take to accept a connection, and again to report its role. */
export const connectMaxMs = 1_000
/** How long a start retries an absent server. */
const startMaxMs = 10_000
const startDelayMs = 250

/**
 * The schema of the store: the first of the search path that has one, else `public` if it has one, else where the search
 * path creates tables.
 */
const storeSchema = `coalesce(
  (select name from unnest(current_schemas(false)) with ordinality as path (name, position)
    where exists (select from pg_tables where schemaname = name and tablename = 'migrations')
    order by position limit 1),
  (select schemaname from pg_tables where schemaname = 'public' and tablename = 'migrations'),
  current_schema(), 'public')`

/** Only the schema of the store is searched, whatever role, database and address set. */
export const selectStorePath = `select set_config('search_path',
  coalesce($1, quote_ident(${storeSchema}) || ', pg_temp'), false)`

/**
 * Sets the session settings that the service needs, overriding role and database, and returns whether the server
 * refuses writes. Warnings are on, since an unconfirmed commit only causes a warning. Generic plans are forced:
 * statements are written so that one plan fits all parameters, and planning a search takes longer than running it.
 */
const prepareSession = `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean,
  case when current_setting('synchronous_commit') in ('off', 'local')
    then set_config('synchronous_commit', 'on', false) end,
  set_config('client_min_messages', 'warning', false),
  set_config('plan_cache_mode', 'force_generic_plan', false), (${selectStorePath})`

/** Overrides role and database; `transaction_timeout` exists since PostgreSQL 17. */
const withoutLimits = `select set_config(name, '0', false) from pg_settings where name in
  ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`

/**
 * Prepares the session of a new connection. Without a `searchPath` it looks for the store, and returns the path to it. Throws
 * unless its server is the primary.
 */
export async function requirePrimary(client: pg.ClientBase, searchPath?: string): Promise<string> {
  const { rows } = await client.query<[isStandby: boolean, ...string[]]>({
    text: prepareSession,
    values: [searchPath],
    rowMode: 'array',
    query_timeout: connectMaxMs,
  } as pg.QueryArrayConfig)
  const [isStandby, ...settings] = rows[0] ?? [true]
  if (isStandby) throw new Error('it is a standby, or read-only')
  return settings.at(-1) ?? ''
}

/**
 * Connects to the primary without timeouts, trying every host in turn. Throws `ioError` when there is none for a while,
 * `noPermission` and `configuration` immediately.
 */
export async function connectToPrimary(address: PostgresAddress): Promise<pg.Client> {
  const giveUpMs = instantMs() + startMaxMs
  for (;;) {
    let reason: unknown
    for (const host of address.hosts) {
      const client = new pg.Client({
        ...address.client,
        ...host,
        connectionTimeoutMillis: connectMaxMs,
        // A transfer leaves it idle for a long time.
        keepAlive: true,
      })
      // The pending statement rejects; without a listener the process would end.
      client.on('error', () => undefined)
      try {
        await client.connect()
        await requirePrimary(client)
        await client.query(withoutLimits)
        return client
      } catch (error) {
        reason = error
      }
      await client.end().catch(() => undefined)
    }
    if (instantMs() > giveUpMs || hopelessnessOf(reason)) throw unreachable(address, reason)
    await sleep(startDelayMs)
  }
}

/** Errors that no retry resolves: SQLSTATEs of login and database, and Node's codes of certificates. */
const hopeless = [
  { reason: 'noPermission', codes: /^28/ },
  { reason: 'configuration', codes: /^(?:3D|CERT_|ERR_TLS_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_)/ },
] as const

/** What `pg` says, without a code, of a server that refuses its request for TLS. */
const withoutTls = 'The server does not support SSL connections'

function hopelessnessOf(error: unknown) {
  if (error instanceof Error && error.message === withoutTls) return 'configuration'
  const code = String((error as { code?: unknown } | undefined)?.code)
  return hopeless.find(({ codes }) => codes.test(code))?.reason
}

function unreachable({ hosts }: PostgresAddress, cause: unknown): OpenError {
  const names = hosts.map(({ host, port }) => `${host}:${port}`).join(', ')
  const message = cause instanceof Error ? cause.message : String(cause)
  const sentence = message === withoutTls ? 'it offers no TLS, which sslmode asks for' : message
  const reason = hopelessnessOf(cause)
  return reason
    ? new OpenError(reason, `PostgreSQL at ${names} refuses the connection: ${sentence}.`, cause)
    : new OpenError(
        'ioError',
        `No PostgreSQL server that accepts writes responds at ${names}: ${sentence}.`,
        cause,
      )
}
