import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { create } from '../consistency/creates/clients.ts'
import { createEmptyStore } from '../harness/empty-store.ts'
import { cases, describeInFull, itInFull } from '../harness/extent.ts'
import { freshSeed } from '../harness/seeded-random.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { type FaultProxy, startFaultProxy } from '../processes/fault-proxy.ts'
import {
  anyPostgres,
  type OwnPostgres,
  type PostgresServer,
  startPostgres,
} from '../processes/postgres.ts'
import {
  type Fleet,
  type ProxiedFleet,
  runFault,
  startFleet,
  startProxiedFleet,
} from '../processes/postgres-faults.ts'
import { cut, delayAnswers, failOver, silence } from '../processes/postgres-moments.ts'

const seed = Number(process.env.FAULT_SEED ?? freshSeed())

// `FAULT_SEED=…` repeats a run.
describeInFull('connections to PostgreSQL that break', () => {
  let proxy: FaultProxy
  let fleet: Fleet
  let stop: ProxiedFleet['stop'] | undefined

  before(async () => {
    ;({ proxy, fleet, stop } = await startProxiedFleet(await anyPostgres()))
  })
  after(() => stop?.())

  for (const moment of ['answered', 'unsent'] as const) {
    it(`503: a create whose connection is cut off (${moment}) is stored once or not at all`, async (t) => {
      const report = await runFault(fleet, seed, () =>
        cut(proxy, /^with [^;]*insert into pets /, moment, 5),
      )

      t.diagnostic(`FAULT_SEED=${seed} ${JSON.stringify(report)}`)
      assert.ok(report.unknown >= 5, 'no create got the 503 of an unknown outcome')
    })
  }

  it('slow results from the database are late, but never older than their requests', async (t) => {
    const report = await runFault(fleet, seed, () =>
      delayAnswers(proxy, { delayMs: 40, forMs: 1_000 }),
    )

    t.diagnostic(`FAULT_SEED=${seed} ${JSON.stringify(report)}`)
    assert.equal(report.unknown + report.refused, 0)
  })

  it('silent connections are closed together, and new ones are opened', async (t) => {
    const report = await runFault(fleet, seed, () => silence(proxy, fleet))

    t.diagnostic(`FAULT_SEED=${seed} ${JSON.stringify(report)}`)
    assert.ok(report.unknown + report.refused > 0, 'the fault had no effect')
  })
})

describe('a command whose connection to PostgreSQL breaks', () => {
  let server: PostgresServer
  let proxy: FaultProxy
  let throughProxy: string

  before(async () => {
    server = await anyPostgres()
    proxy = await startFaultProxy(server.port)
    const address = await server.createDatabase()
    await createEmptyStore(address)
    throughProxy = address.replace(`:${server.port}/`, `:${proxy.port}/`)
  })
  after(async () => {
    await proxy?.close()
    await server?.stop()
  })

  for (const moment of cases(['answered', 'unsent'] as const, { quickEvery: 2 })) {
    it(`a command whose commit is cut off (${moment}) reports done or not done, and does its work once`, async () => {
      const before = await storedKeys()
      proxy.cutAt(/; insert into keys .*; commit$/s, moment, 1)

      const { code, stdout, stderr } = await petstoreInThread(
        ['keys', 'create', '--name', 'shop'],
        {
          env: { PETSTORE_DATABASE: throughProxy },
        },
      )

      assert.notEqual(code, 0)
      assert.equal(stdout, '', 'no key is shown that may not be stored')
      assert.match(stderr, /it is stored or it is not\. Look before you repeat it\./)
      assert.equal((await storedKeys()) - before, moment === 'answered' ? 1 : 0)
    })
  }

  itInFull(
    'a command that is cut off before its commit reports that nothing was stored',
    async () => {
      const before = await storedKeys()
      proxy.cutAt(/; insert into keys [^;]*$/, 'answered', 1)

      const { code, stderr } = await petstoreInThread(['keys', 'create', '--name', 'shop'], {
        env: { PETSTORE_DATABASE: throughProxy },
      })

      assert.notEqual(code, 0)
      assert.match(stderr, /Nothing was stored; try again later\./)
      assert.equal(await storedKeys(), before)
    },
  )

  async function storedKeys(): Promise<number> {
    const database = new URL(throughProxy).pathname.slice(1)
    const { rows } = await server.query('select count(*) as count from keys', database)
    return Number(rows[0]?.count)
  }
})

describeInFull('several hosts', () => {
  let primary: OwnPostgres
  let standby: OwnPostgres
  let address: string
  let key: string
  const listing = (...servers: OwnPostgres[]) =>
    address.replace(/127.0.0.1:\d+/, servers.map(({ port }) => `127.0.0.1:${port}`).join(','))

  before(async () => {
    // Acknowledged commits are on the standby, as an operator makes sure of before a failover.
    primary = await startPostgres(['synchronous_standby_names=*'])
    standby = await primary.startStandby()
    address = await primary.createDatabase()
  })
  after(async () => {
    await primary?.stop()
    await standby?.stop()
  })

  it('the host that accepts writes is used, and after a failover the promoted one', {}, async (t) => {
    await using fleet = await startFleet(listing(standby, primary))

    key = fleet.key
    const report = await runFault(fleet, seed, () => failOver(primary, standby))

    t.diagnostic(`FAULT_SEED=${seed} ${JSON.stringify(report)}`)
    assert.ok(report.acknowledged > 0)
    const { rows } = await standby.query('select pg_is_in_recovery() as "isStandby"')
    assert.equal(rows[0]?.isStandby, false)
    await assert.rejects(primary.query('select 1'))
  })

  it('a host in read-only mode is skipped', async () => {
    await primary.bringUp()
    const database = new URL(address).pathname.slice(1)
    await primary.query(
      `set synchronous_commit = local; alter database ${database} set default_transaction_read_only = on`,
    )
    const countIn = async (server: OwnPostgres) =>
      (await server.query('select count(*) as count from pets', database)).rows[0]?.count
    const before = await countIn(primary)

    await using fleet = await startFleet(listing(primary, standby), { key })
    const id = await create(fleet, { service: 0 })

    assert.ok(id !== undefined, 'a create is acknowledged')
    assert.equal(await countIn(primary), before)
    assert.ok(Number(await countIn(standby)) > Number(before))
  })
})
