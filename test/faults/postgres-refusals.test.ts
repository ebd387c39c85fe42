import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from '../support/history-clients.ts'
import { type OwnPostgres, startPostgres } from '../support/postgres.ts'
import { type Fleet, runFault, startFleet } from '../support/postgres-faults.ts'
import { lockTable, spoilInserts } from '../support/postgres-moments.ts'
import { freshSeed } from '../support/seeded-random.ts'

const timeout = 240_000
const seed = Number(process.env.FAULT_SEED ?? freshSeed())
/** The server gives up a lock after 2 s, a statement after 4 s. */
const lockedMs = 2_500
/** Many times what an answer from memory takes. */
const atOnceMs = 1_000

// `FAULT_SEED=…` repeats a run.
describe('a PostgreSQL that answers, but refuses', { timeout }, () => {
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

  it('503: a table that is locked; health and other tables are answered meanwhile', async (t) => {
    let slowestMs = 0
    const meanwhile = async () => {
      const endMs = performance.now() + lockedMs
      const counts = fleet.baseUrls.flatMap((url) => countMany(url))
      while (performance.now() < endMs) {
        for (const url of fleet.baseUrls) {
          const startMs = performance.now()
          const live = await request(new URL('/health/live', url).href, fleet)
          slowestMs = Math.max(slowestMs, performance.now() - startMs)
          assert.equal(live.status, 200)
          const orders = await request(`${url}/store/orders`, fleet)
          assert.equal(orders.status, 200, `keys are confirmed meanwhile: ${orders.text}`)
        }
        await sleep(20)
      }
      for (const answer of await Promise.all(counts)) assert.equal(answer.status, 503)
    }

    const report = await runFault(fleet, seed, () => lockTable(address, 'pets', meanwhile))

    t.diagnostic(`FAULT_SEED=${seed} live within ${slowestMs} ms ${JSON.stringify(report)}`)
    assert.ok(slowestMs < atOnceMs, `live took ${slowestMs} ms`)
    assert.ok(report.refused > 0, 'no create was refused: it was not locked')
    assert.equal(report.unknown, 0)
  })

  it('201: what the server undid for the sake of others is done again, unnoticed', async (t) => {
    const instead = `raise exception 'again' using errcode =
      (array['40001', '40P01'])[1 + currval('spoiled') % 2]`
    const report = await runFault(fleet, seed, () => spoilInserts(address, { instead, times: 5 }))

    t.diagnostic(`FAULT_SEED=${seed} ${JSON.stringify(report)}`)
    assert.deepEqual([report.refused, report.unknown], [0, 0])
  })

  it('503: what the server undid too often is not stored', async (t) => {
    const instead = "raise exception 'again' using errcode = '40001'"
    const report = await runFault(fleet, seed, () => spoilInserts(address, { instead, times: 40 }))

    t.diagnostic(`FAULT_SEED=${seed} ${JSON.stringify(report)}`)
    assert.ok(report.refused > 0)
    assert.equal(report.unknown, 0)
  })

  it('503: a statement that takes too long is not stored', async (t) => {
    const report = await runFault(fleet, seed, () =>
      spoilInserts(address, { instead: 'perform pg_sleep(60)', times: 1 }),
    )

    t.diagnostic(`FAULT_SEED=${seed} ${JSON.stringify(report)}`)
    assert.ok(report.refused > 0)
    assert.equal(report.unknown, 0)
  })

  /** Counts visit the table, and are not shared: without a limit they would take all connections. */
  function countMany(url: string) {
    return Array.from({ length: 20 }, () =>
      request(`${url}/pets`, { key: fleet.key, headers: { prefer: 'count=exact' } }),
    )
  }
})
