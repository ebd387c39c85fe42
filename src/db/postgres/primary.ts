import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { instantMs } from '../deadline.ts'
import { OpenError } from '../errors.ts'
import type { PostgresAddress } from './address.ts'

/** A host has this long to accept a connection, and as long again to tell what it is. */
export const connectMaxMs = 1_000
/** A server that is not there is tried again for this long before a start gives up. */
const startMaxMs = 10_000
const startDelayMs = 250

/**
 * Sets what the promises of this service need, whatever the role or the database has, and tells whether the server
 * refuses writes. A commit that no standby has confirmed is known by its warning alone. Statements are written so that one
 * plan is right for all parameters: to plan a search anew takes longer than to run it.
 */
const prepareSession = `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean,
  case when current_setting('synchronous_commit') in ('off', 'local')
    then set_config('synchronous_commit', 'on', false) end,
  set_config('client_min_messages', 'warning', false),
  set_config('plan_cache_mode', 'force_generic_plan', false)`

/** Whatever the role or the database has; `transaction_timeout` is there from PostgreSQL 17 on. */
const withoutLimits = `select set_config(name, '0', false) from pg_settings where name in
  ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`

/** Makes a new connection one that keeps our promises. Throws unless its server takes writes. */
export async function requirePrimary(client: pg.ClientBase): Promise<void> {
  const query = { text: prepareSession, rowMode: 'array', query_timeout: connectMaxMs } as const
  const { rows } = await client.query<boolean[]>(query)
  if (rows[0]?.[0]) throw new Error('it is a standby, or read-only')
}

/** A connection without time limits: every host is tried in turn until one takes writes. Throws `ioError` when none does for a while, `noPermission` and `configuration` at once. */
export async function connectToPrimary(address: PostgresAddress): Promise<pg.Client> {
  const giveUpMs = instantMs() + startMaxMs
  for (;;) {
    let reason: unknown
    for (const host of address.hosts) {
      const client = new pg.Client({
        ...address.client,
        ...host,
        connectionTimeoutMillis: connectMaxMs,
      })
      // Whoever waits for an answer is told; without a listener the process would end.
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

/** Codes of what does not become right by waiting: SQLSTATEs of login and database, and Node's of certificates. */
const hopeless = [
  { reason: 'noPermission', codes: /^28/ },
  { reason: 'configuration', codes: /^(?:3D|CERT_|ERR_TLS_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_)/ },
] as const

function hopelessnessOf(error: unknown) {
  const code = String((error as { code?: unknown } | undefined)?.code)
  return hopeless.find(({ codes }) => codes.test(code))?.reason
}

function unreachable({ hosts }: PostgresAddress, cause: unknown): OpenError {
  const names = hosts.map(({ host, port }) => `${host}:${port}`).join(', ')
  const sentence = cause instanceof Error ? cause.message : String(cause)
  const reason = hopelessnessOf(cause)
  return reason
    ? new OpenError(reason, `There is no way into PostgreSQL at ${names}: ${sentence}.`, cause)
    : new OpenError(
        'ioError',
        `No PostgreSQL server that takes writes answers at ${names}: ${sentence}.`,
        cause,
      )
}
