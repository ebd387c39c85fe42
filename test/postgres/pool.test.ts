import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { parseAddress } from '../../src/db/postgres/address.ts'
import { connectToPrimary } from '../../src/db/postgres/find-primary.ts'
import { Pool } from '../../src/db/postgres/pool.ts'
import { Primary } from '../../src/db/postgres/primary.ts'
import { endSession, type Session } from '../../src/db/postgres/session.ts'
import type { PostgresSql } from '../../src/db/postgres/sql.ts'
import { until } from '../harness/until.ts'
import { startFaultProxy } from '../processes/fault-proxy.ts'
import { anyPostgres, type PostgresServer } from '../processes/postgres.ts'

describe('sessions on a primary', () => {
  let server: PostgresServer

  before(async () => {
    server = await anyPostgres()
  })
  after(() => server?.stop())

  it('once one has broken, those that were open beside it are not used again', async (t) => {
    const { proxy, options, found } = await startProxied(t, server)
    const pool = new Pool(options, found)
    t.after(() => pool.close())
    const { promise: bothOpen, resolve } = Promise.withResolvers<void>()
    const pids: (bigint | undefined)[] = []
    const holdUntilBothOpen = async (sql: PostgresSql) => {
      if (pids.push(await pidOf(sql)) === 2) resolve()
      await bothOpen
    }
    await Promise.all([pool.run('reads', holdUntilBothOpen), pool.run('reads', holdUntilBothOpen)])
    assert.equal(new Set(pids).size, 2)
    proxy.cutAt(/^select 7$/, 'unsent', 1)

    await assert.rejects(pool.run('reads', async (sql) => sql.all('select 7')))

    assert.ok(!pids.includes(await pool.run('reads', pidOf)))
  })

  it('one that could not be opened says nothing of those that were opened since', async (t) => {
    const { proxy, options, found } = await startProxied(t, server)
    const primary = new Primary(options, found, () => undefined)
    t.after(() => primary.stop())
    proxy.freeze('all')
    const late = primary.open()
    await until(() => proxy.connections === 1)
    proxy.freeze('existing')
    proxy.cutAt(/pg_is_in_recovery/, 'unsent', 1)
    assert.equal(await primary.open(), undefined)
    await until(() => primary.failure !== undefined && primary.openingMax === 1)
    const session = await primary.open()

    assert.equal(await late, undefined)

    assert.ok(session && primary.trusted.has(session))
    assert.equal(primary.failure, undefined)
    await session.client.end()
  })

  it('a server that refuses writes is left at once, also while a statement is waited for that was given up', async (t) => {
    const { options, found } = await startProxied(t, server)
    let pauses = 0
    // Each takes a minute.
    const random = () => {
      pauses += 1
      return [-600_000] as unknown as Buffer
    }
    const primary = new Primary({ ...options, random }, found, () => undefined)
    t.after(() => primary.stop())
    const hanging = (await primary.open()) as Session
    hanging.client.query('select pg_sleep(60)').catch(() => undefined)
    primary.giveUp(hanging)
    const session = (await primary.open()) as Session
    await until(() => pauses === 1)

    primary.leave(session, new Error('It is a standby by now.'))

    await until(() => primary.failure === undefined, 20_000)
    assert.equal(primary.held.size, 1)
    for (const { client } of [session, hanging]) endSession(client)
  })
})

async function pidOf(sql: PostgresSql): Promise<bigint | undefined> {
  const [row] = await sql.all<[bigint]>('select pg_backend_pid()')
  return row?.[0]
}

/** The primary behind a proxy, as a start has found it. */
async function startProxied(t: TestContext, server: PostgresServer) {
  const proxy = await startFaultProxy(server.port)
  t.after(() => proxy.close())
  const direct = await server.createDatabase()
  const address = parseAddress(direct.replace(`:${server.port}/`, `:${proxy.port}/`))
  const { client, searchPath, ...found } = await connectToPrimary(address)
  await client.end()
  await until(() => proxy.connections === 0)
  const options = {
    ...{ address, searchPath, name: 'the store', isPatient: false },
    ...{ isHeld: true, admitsMarked: true, warn: () => undefined },
  }
  return { proxy, options, found }
}
