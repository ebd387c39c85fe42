import pg from 'pg'
import { ServiceError } from '../../errors.ts'
import type { Sql } from '../seam.ts'
import type { Host, PostgresAddress } from './address.ts'
import { isConnectionGood } from './failures.ts'
import { sqlOn } from './sql.ts'

const connectionsMax = 16
/** Work that waits for a connection beyond this is refused at once. */
const waitingMax = 1_000
/** Work waits this long for a connection. */
const connectMaxMs = 1_500
/** The server gives up a statement after this … */
const statementMaxMs = 4_000
const lockMaxMs = 2_000
const idleInTransactionMaxMs = 5_000
/** … and we give up on the server a little later: it is frozen, or the network is. */
const answerMaxMs = 5_000

/** One session: it sets what the promises of this service need, and takes only a server that takes writes. */
const prepareSession = `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean,
  case when current_setting('synchronous_commit') = 'off' then set_config('synchronous_commit', 'on', false) end`

export type Pool = {
  /** Runs work on a connection of its own. One that failed is not used again. Throws `unavailable` when there is none in time. */
  withConnection<T>(work: (sql: Sql, client: pg.PoolClient) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Connections to the one server among the hosts that takes writes. */
export function openPool({ hosts, client: config }: PostgresAddress): Pool {
  let current = 0
  const hostNow = (): Host => hosts[current % hosts.length] as Host
  class Client extends pg.Client {
    constructor(options: pg.ClientConfig) {
      super({ ...options, ...config, ...hostNow() })
    }
  }
  const pool = new pg.Pool({
    ...config,
    Client,
    max: connectionsMax,
    connectionTimeoutMillis: connectMaxMs,
    statement_timeout: statementMaxMs,
    lock_timeout: lockMaxMs,
    idle_in_transaction_session_timeout: idleInTransactionMaxMs,
    query_timeout: answerMaxMs,
    keepAlive: true,
    application_name: 'petstore',
    onConnect: async (client: pg.ClientBase) => {
      const { rows } = await client.query<boolean[]>({
        text: prepareSession,
        rowMode: 'array',
      } as never)
      if (rows[0]?.[0]) throw new Error('the server is a standby, or read-only')
    },
  } as unknown as pg.PoolConfig)
  // An idle connection that breaks has left the pool already; who asks next gets another.
  pool.on('error', () => undefined)

  async function connect(): Promise<pg.PoolClient> {
    if (pool.waitingCount >= waitingMax)
      throw noConnection('Too many requests wait for the database.')
    let reason: unknown
    for (const _host of hosts) {
      const tried = current
      try {
        return await pool.connect()
      } catch (error) {
        reason = error
        if (tried === current) current += 1
      }
    }
    throw noConnection('The database cannot be reached now.', reason)
  }

  return {
    async withConnection(work) {
      const client = await connect()
      try {
        const result = await work(sqlOn(client), client)
        client.release()
        return result
      } catch (error) {
        client.release(!(error instanceof ServiceError || isConnectionGood(error)))
        throw error
      }
    },
    close: () => pool.end(),
  }
}

function noConnection(message: string, cause?: unknown): ServiceError {
  return new ServiceError('unavailable', `${message} Nothing was stored; try again later.`, {
    cause,
    headers: { 'retry-after': '1' },
  })
}
