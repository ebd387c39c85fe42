import pg from 'pg'
import { overloaded } from '../batching/limiter.ts'
import { Unavailable } from '../errors.ts'
import type { Load } from '../load.ts'
import type { PostgresAddress } from './address.ts'
import { createExplanations, type Explanations } from './explain-failures.ts'
import { connectionAfter, stateOf } from './failures.ts'
import { createHostSelector, type Endpoint } from './host-selector.ts'
import { connectMaxMs, requirePrimary } from './primary.ts'
import { type PostgresSql, sqlOn } from './sql.ts'
import { joinStore, refuseMarked } from './store-lock.ts'

/** The most connections of a process. */
export const poolMax = 16
/** How long work waits for a connection. */
const waitMaxMs = 1_500
/** With this much work waiting for a connection, more is refused. */
const waitingMax = 1_000
/** The server cancels a statement after this … */
const statementMaxMs = 4_000
const lockMaxMs = 2_000
const idleInTransactionMaxMs = 5_000
/** … and the client drops the connection a little later, when the server or the network is frozen. */
const resultMaxMs = 5_000

export type Pool = Explanations & {
  /** Runs work on a connection. A failed connection is not reused. Throws `Unavailable` when there is none in time. */
  withConnection<T>(work: (sql: PostgresSql) => Promise<T>): Promise<T>
  load(): NonNullable<Load['pool']>
  close(): Promise<void>
}

/** A host refused the connection, or is not the primary. */
class HostUnavailable extends Error {
  override name = 'HostUnavailable'
}

export type PoolOptions = {
  /** The database in messages, without its password. */
  name: string
  /** For commands: no statement timeouts. */
  isPatient: boolean
  /** Whether this process holds the store alone, for a transfer. */
  isHeld?: boolean | undefined
  /** Whether a store that a transfer has marked may be read. */
  admitsMarked?: boolean | undefined
  warn(sentence: string): void
}

/** A pool of connections to the primary among the hosts. `searchPath` leads all of them to the same store. */
export function openPool(
  { hosts, client: config }: PostgresAddress,
  options: PoolOptions,
  searchPath: string,
): Pool {
  const { name, isPatient, isHeld, admitsMarked } = options
  const selector = createHostSelector(hosts)
  const endpoints = new WeakMap<pg.ClientBase, Endpoint>()
  const generationOf = (client: pg.ClientBase) => endpoints.get(client)?.generation ?? -1

  class Client extends pg.Client {
    constructor(options: pg.ClientConfig) {
      const endpoint = selector.now()
      super({ ...options, ...config, ...endpoint.host, connectionTimeoutMillis: connectMaxMs })
      endpoints.set(this, endpoint)
      // The pending statement rejects; without a listener the process would end.
      this.on('error', () => undefined)
    }

    override connect(done?: unknown): Promise<never> {
      // The pool always passes a callback and ignores the result.
      const connecting: unknown = super.connect((error?: Error | null) => {
        ;(done as (error?: Error) => void)(error ? refuse(this, error) : undefined)
      })
      return connecting as Promise<never>
    }
  }

  /** A server without free connections is still the primary. */
  function refuse(client: pg.ClientBase, error: unknown): HostUnavailable {
    const isFull = stateOf(error)?.startsWith('53') ?? false
    if (!isFull && hosts.length > 1) selector.skipHost(generationOf(client))
    return new HostUnavailable('A host did not let us in.', { cause: error })
  }

  async function enter(client: pg.ClientBase) {
    await requirePrimary(client, searchPath)
    // A transfer may have begun, or ended, while this process had no connection.
    if (!isHeld) await joinStore(client, name)
    if (!admitsMarked) await refuseMarked(client, name)
  }

  const pool = new pg.Pool({
    ...config,
    Client,
    max: poolMax,
    connectionTimeoutMillis: waitMaxMs,
    lock_timeout: lockMaxMs,
    idle_in_transaction_session_timeout: idleInTransactionMaxMs,
    ...(isPatient ? {} : { statement_timeout: statementMaxMs, query_timeout: resultMaxMs }),
    keepAlive: true,
    pipeline: true,
    application_name: 'petstore',
    onConnect: (client: pg.ClientBase) =>
      enter(client).catch((error) => {
        throw refuse(client, error)
      }),
  } as unknown as pg.PoolConfig)
  // The pool has dropped an idle connection that broke; the next request gets another one.
  pool.on('error', () => undefined)

  async function connectTrusted(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await pool.connect()
      if (generationOf(client) === selector.now().generation) return client
      client.release(true)
    }
  }

  async function connect(): Promise<pg.PoolClient> {
    if (pool.waitingCount >= waitingMax) throw overloaded()
    let reason: unknown
    for (const _host of hosts) {
      try {
        return await connectTrusted()
      } catch (error) {
        if (!(error instanceof HostUnavailable)) throw overloaded(error)
        reason = error.cause
      }
    }
    throw unreachable(reason)
  }

  return {
    ...createExplanations(options),
    async withConnection(work) {
      const client = await connect()
      try {
        const result = await work(sqlOn(client))
        client.release()
        return result
      } catch (error) {
        const state = connectionAfter(error)
        if (state === 'broken') selector.distrust(generationOf(client))
        if (state === 'readOnly') selector.skipHost(generationOf(client))
        client.release(state !== 'good')
        throw error
      }
    },
    load: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      max: poolMax,
      waiting: pool.waitingCount,
    }),
    close: () => pool.end(),
  }
}

function unreachable(cause: unknown): Unavailable {
  const message = 'The database cannot be reached now. Nothing was stored; try again later.'
  return new Unavailable(message, { cause })
}
