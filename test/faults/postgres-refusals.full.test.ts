import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from '../consistency/creates/clients.ts'
import { repeatRefused } from '../harness/repeat.ts'
import { freshSeed } from '../harness/seeded-random.ts'
import { type OwnPostgres, startPostgres } from '../processes/postgres.ts'
import { type Fleet, runFault, startFleet } from '../processes/postgres-faults.ts'
import { lockTable, slowDown, spoilInserts } from '../processes/postgres-moments.ts'

const seed = Number(process.env.FAULT_SEED ?? freshSeed())
/** The server ends a lock wait after 2 s, and a statement after 4 s. */
const lockedMs = 2_500
/** Many times what a response from memory takes, and less than a lock wait. */
const atOnceMs = 1_000
const triesMax = 5

// `FAULT_SEED=…` repeats a run.
describe('a PostgreSQL that accepts connections but refuses work', () => {
  let server: OwnPostgres
  let address: string
  let fleet: Fleet

  before(async () => {
    server = await startPostgres()
    address = await server.createDatabase()
    fleet = await startFleet(address)
  })
  after(async () => {
    await fleet?.[Symbol.asyncDispose]()
    await server?.stop()
  })

  it('503: requests for a locked table; health and other tables are served meanwhile', async (t) => {
    let late: string[] = ['never tried']
    // On a busy machine the service may also reach its own limits, of a second or more: such requests are sent again.
    for (let tries = 1; tries <= triesMax && late.length > 0; tries++) {
      late = []
      const report = await runFault(fleet, seed + tries - 1, () =>
        lockTable(address, 'pets', async () => {
          late = await askMeanwhile()
        }),
      )
      if (report.unknown > 0) late.push(`${report.unknown} creates are stored or not`)
      // By chance, all clients may be waiting for a read.
      if (report.refused === 0) late.push('no create was refused')
      t.diagnostic(`FAULT_SEED=${seed} try ${tries} ${JSON.stringify(report)} ${late.join('; ')}`)
    }

    assert.deepEqual(late, [])
  })

  it('201: a transaction that failed with a serialization failure or a deadlock is retried, unnoticed by the client', async (t) => {
    const instead = `raise exception 'again' using errcode =
      (array['40001', '40P01'])[1 + currval('spoiled') % 2]`
    const report = await runFault(fleet, seed, () => spoilInserts(address, { instead, times: 5 }))

    t.diagnostic(`FAULT_SEED=${seed} ${JSON.stringify(report)}`)
    assert.deepEqual([report.refused, report.unknown], [0, 0])
  })

  it('503: a transaction that is rolled back too often is not stored', async (t) => {
    const instead = "raise exception 'again' using errcode = '40001'"
    const report = await runFault(fleet, seed, () => spoilInserts(address, { instead, times: 400 }))

    t.diagnostic(`FAULT_SEED=${seed} ${JSON.stringify(report)}`)
    assert.ok(report.refused > 0)
    assert.equal(report.unknown, 0)
  })

  it('200: equal concurrent counts share a few runs', async () => {
    const [url = ''] = fleet.baseUrls
    await using slow = await slowDown(address, 'pets')
    await count(`${url}/pets`)
    const statements = await slow.asked()

    // On a busy machine a request that waits too long gets 503 and is sent again.
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => repeatRefused(() => count(`${url}/pets`))),
    )

    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    const totals = answers.map(({ headers }) => headers['x-total-count'])
    assert.deepEqual([...new Set(totals)], [String(await stored())])
    // Each run takes two statements.
    assert.ok((await slow.asked()) - statements < 200, 'hardly any is shared')
  })

  it('503: a statement that takes too long is not stored', async (t) => {
    const report = await runFault(fleet, seed, () =>
      spoilInserts(address, { instead: 'perform pg_sleep(60)', times: 1 }),
    )

    t.diagnostic(`FAULT_SEED=${seed} ${JSON.stringify(report)}`)
    assert.ok(report.refused > 0)
    assert.equal(report.unknown, 0)
  })

  /** Requests what needs no locked table, while others request what does; returns the unexpected responses. */
  async function askMeanwhile(): Promise<string[]> {
    const late: string[] = []
    const endMs = performance.now() + lockedMs
    const counts = fleet.baseUrls.flatMap((url) => countMany(url))
    while (performance.now() < endMs) {
      for (const url of fleet.baseUrls) {
        const startMs = performance.now()
        const live = await request(new URL('/health/live', url).href, fleet)
        const liveMs = performance.now() - startMs
        assert.equal(live.status, 200)
        if (liveMs > atOnceMs) late.push(`live took ${liveMs} ms`)
        const orders = await request(`${url}/store/orders`, fleet)
        // Keys are confirmed meanwhile, too.
        if (orders.status !== 200) late.push(`orders: ${orders.status} ${orders.text}`)
      }
      await sleep(20)
    }
    for (const answer of await Promise.all(counts)) assert.equal(answer.status, 503)
    return late
  }

  async function stored(): Promise<number> {
    const { rows } = await server.query(
      'select count(*) as count from slow_pets',
      new URL(address).pathname.slice(1),
    )
    return Number(rows[0].count)
  }

  /** Counts read the table, and these share no run: without a limit they would take all connections. */
  function countMany(url: string) {
    return Array.from({ length: 20 }, (_, category) => count(`${url}/pets?categoryId=${category}`))
  }

  function count(url: string) {
    return request(url, { key: fleet.key, headers: { prefer: 'count=exact' } })
  }
})
