import { after, before, type TestContext } from 'node:test'
import pg from 'pg'
import { parseAddress } from '../../src/db/postgres/address.ts'
import { ConnectionFailure } from '../../src/db/postgres/failures.ts'
import { connectToPrimary } from '../../src/db/postgres/find-primary.ts'
import { Pool } from '../../src/db/postgres/pool.ts'
import { Primary } from '../../src/db/postgres/primary.ts'
import type { Opened } from '../../src/db/postgres/sessions.ts'
import type { PostgresSql } from '../../src/db/postgres/sql.ts'
import { until } from '../harness/until.ts'
import { type FaultProxy, startFaultProxy } from '../processes/fault-proxy.ts'
import { anyPostgres, type PostgresServer } from '../processes/postgres.ts'

/** Asked of each host, and of each new session. */
export const role = /pg_is_in_recovery\(\) or/
/** The last statements of a new session. */
const lock = /pg_try_advisory_lock_shared/
export const marks = /to_regclass/

/** What work fails with, by how it leaves its session. */
export const failures = {
  good: undefined,
  broken: new ConnectionFailure(new Error('read ECONNRESET')),
  ended: errorOfServer('57P01'),
  readOnly: errorOfServer('25006'),
}

function errorOfServer(code: string): Error {
  return Object.assign(new pg.DatabaseError('refused', 0, 'error'), { code })
}

/** Primaries and pools on one database, for the tests of a suite. */
export function usePrimaries() {
  let server: PostgresServer
  let database: string

  before(async () => {
    server = await anyPostgres()
    database = await server.createDatabase()
  })
  after(async () => {
    await server?.dropDatabase(database)
    await server?.stop()
  })

  /** The primary behind a proxy, as a start has found it. */
  async function find(t: TestContext) {
    const proxy = await startFaultProxy(server.port)
    t.after(() => proxy.close())
    const address = parseAddress(database.replace(`:${server.port}/`, `:${proxy.port}/`))
    const { client, searchPath, ...found } = await connectToPrimary(address)
    await client.end()
    await until(() => proxy.connections === 0)
    return { proxy, options: { address, searchPath, name: 'the store' }, found }
  }

  return {
    async startPool(t: TestContext) {
      const { proxy, options, found } = await find(t)
      const pool = new Pool({ ...options, isPatient: false, warn: () => undefined }, found)
      t.after(() => pool.close())
      return { proxy, pool }
    },
    /** Statements have no time limit. `isPausing`: a pause between two looks at the hosts takes a minute. */
    async startPrimary(t: TestContext, { isPausing = false } = {}) {
      const { proxy, options, found } = await find(t)
      const warnings: string[] = []
      let pauses = 0
      const random = () => {
        pauses += 1
        return [isPausing ? -600_000 : 0] as unknown as Buffer
      }
      const warn = (sentence: string) => void warnings.push(sentence)
      const own = { ...options, isPatient: true, warn, random }
      const primary = new Primary(own, found, () => undefined)
      t.after(() => primary.state === 'stopped' || primary.stop())

      /** Opens a session, and uses it. */
      async function use(): Promise<Opened> {
        await until(() => primary.state === 'known' || primary.state === 'trying')
        await primary.open()
        const session = primary.sessions.in('idle').at(-1) as Opened
        primary.sessions.note(session, 'taken')
        return session
      }

      return { primary, proxy, warnings, use, pauses: () => pauses }
    },
    /** Ends a session from the side of the server. */
    async terminate(session: Opened): Promise<void> {
      const { promise: closed, resolve } = Promise.withResolvers<void>()
      if (session.state === 'held') resolve()
      session.client.once('end', resolve)
      await server.query(`select pg_terminate_backend(${session.pid})`)
      await closed
    },
  }
}

/** The processes of two sessions of a pool that were open at the same time. */
export async function openTwo(pool: Pool): Promise<(bigint | undefined)[]> {
  const { promise: bothOpen, resolve } = Promise.withResolvers<void>()
  const pids: (bigint | undefined)[] = []
  const holdUntilBothOpen = async (sql: PostgresSql) => {
    if (pids.push(await pidOf(sql)) === 2) resolve()
    await bothOpen
  }
  await Promise.all([pool.run('reads', holdUntilBothOpen), pool.run('reads', holdUntilBothOpen)])
  return pids
}

export async function pidOf(sql: PostgresSql): Promise<bigint | undefined> {
  const [row] = await sql.all<[bigint]>('select pg_backend_pid()')
  return row?.[0]
}

/** A session with a statement that does not end. */
export async function hang(use: () => Promise<Opened>): Promise<Opened> {
  const session = await use()
  session.client.query('select pg_sleep(60)').catch(() => undefined)
  return session
}

/** Opens a session, and resolves while it is on its way, until the proxy thaws. */
export async function openLate(primary: Primary, proxy: FaultProxy) {
  const before = proxy.cuts
  proxy.cutAt(lock, 'held', 1)
  const opening = primary.open()
  await until(() => proxy.cuts === before + 1)
  return { opening }
}
