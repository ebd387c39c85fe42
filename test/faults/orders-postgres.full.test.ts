import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { runJobs } from '../../src/app/jobs.ts'
import { runFaultUnderOrders } from '../consistency/orders/faults.ts'
import { OrdersHistory } from '../consistency/orders/history.ts'
import {
  orderMeanwhile,
  requireSound,
  runFights,
  stockForLoad,
  untilOrdered,
} from '../consistency/orders/rounds.ts'
import { startApp, type TestApi } from '../harness/app.ts'
import { freshSeed, SeededRandom } from '../harness/seeded-random.ts'
import { until } from '../harness/until.ts'
import { aDirectory } from '../processes/command.ts'
import type { FaultProxy } from '../processes/fault-proxy.ts'
import { type OwnPostgres, startPostgres } from '../processes/postgres.ts'
import { type Fleet, type ProxiedFleet, startProxiedFleet } from '../processes/postgres-faults.ts'
import { cut, restart } from '../processes/postgres-moments.ts'
import { openSession } from '../processes/postgres-store.ts'
import { startService } from '../processes/process.ts'

const seed = Number(process.env.FAULT_SEED ?? freshSeed())
const fights = 6
const kills = 4
const holdMs = 150

// `npm run test:postgres` does most of this many times. `FAULT_SEED=…` repeats a run.
describe('orders at two services on one PostgreSQL', () => {
  let server: OwnPostgres
  let proxy: FaultProxy
  let address: string
  let fleet: Fleet
  let stop: ProxiedFleet['stop'] | undefined

  before(async () => {
    server = await startPostgres()
    ;({ proxy, address, fleet, stop } = await startProxiedFleet(server))
  })
  after(() => stop?.())

  it('201 as often as there is stock, else 409: 64 clients order the same few pets', async (t) => {
    const shop = { ...fleet, history: new OrdersHistory(fleet.history) }
    const { placed, refused, unknown, stock } = await runFights(shop, fights)

    t.diagnostic(`${placed} orders of ${stock} pets, ${refused} refused`)
    assert.equal(placed, stock)
    assert.equal(refused, fights * 64 * 3 - stock)
    assert.equal(unknown, 0)
  })

  it('kill -9 of a service: its orders exist once, and the other service knows its idempotency keys', async (t) => {
    const home = aDirectory(t)
    const random = new SeededRandom(seed)
    const history = new OrdersHistory(fleet.history)
    const startVictim = () => startService({ env: victimSettings(home) })
    let victim = await startVictim()
    t.after(() => victim.kill())
    const shopNow = () => ({
      baseUrls: [victim.baseUrl, fleet.baseUrls[1] as string],
      key: fleet.key,
      history,
    })

    for (let round = 0; round < kills; round++) {
      const startMs = performance.now()
      const shop = shopNow()
      await orderMeanwhile(shop, {
        petIds: await stockForLoad(shop),
        random,
        async disturb() {
          await untilOrdered(shop, startMs)
          await sleep(random.between(50, 300))
          await victim.kill()
          await sleep(50)
        },
      })
      victim = await startVictim()
      await requireSound(shopNow(), { sinceMs: startMs, repeatSinceMs: startMs })
    }

    t.diagnostic(`FAULT_SEED=${seed} ${JSON.stringify(history.count())}`)
    assert.ok(history.count().unknown > 0, 'nothing was under way when it was killed')
  })

  it('a server crash and recovery: no order is lost, and each key has one effect', async (t) => {
    const report = await runFaultUnderOrders(fleet, seed, () => restart(server, 'immediate', fleet))

    t.diagnostic(`FAULT_SEED=${seed} ${JSON.stringify(report)}`)
  })

  for (const moment of ['answered', 'unsent'] as const) {
    it(`503: an order whose commit is cut off (${moment}) is placed once when it is repeated with its key`, async (t) => {
      const commit = /; insert into orders .*; commit$/s
      const report = await runFaultUnderOrders(fleet, seed, () => cut(proxy, commit, moment, 5))

      t.diagnostic(`FAULT_SEED=${seed} ${JSON.stringify(report)}`)
      assert.ok(report.orders.unknown > 0, 'no order got the 503 of an unknown outcome')
    })
  }

  it('200: a sweep locks pets in the order of their ids, and keeps no lock that another needs while it waits', async (t) => {
    const database = await server.createDatabase()
    const { api, clock, context } = await startApp({
      settings: { PETSTORE_DATABASE: database, PETSTORE_ORDER_HOLD_MS: String(holdMs) },
    })
    const [lower, higher] = [await availablePet(api), await availablePet(api)]
    for (const petId of [higher, lower]) {
      assert.equal((await api.post('/v1/store/orders', { petId })).status, 201)
      clock.ms += 1
    }
    const session = await openSession(t, database)
    // Within a transaction, PostgreSQL lists only the sessions that were there when it was first asked.
    const watcher = await openSession(t, database)
    await session.query('begin')
    await session.query('select from pets where id = $1 for update', [lower])

    clock.ms += holdMs
    const sweeping = runJobs(context)
    await until(async () => (await waiting(watcher)) > 0)

    // While it waits for the lower id it must not hold the higher one.
    await session.query('select from pets where id = $1 for update nowait', [higher])
    // Unlike a commit, this waits for no disk.
    await session.query('rollback')
    await sweeping
    const orders = (await api.get('/v1/store/orders?status=expired')).json() as unknown[]
    assert.equal(orders.length, 2)
  })

  /** Orders of this service expire soon, those of the other do not. */
  function victimSettings(home: string): Record<string, string> {
    const keyFile = join(home, 'first-key')
    writeFileSync(keyFile, fleet.key)
    return {
      PETSTORE_DATABASE: address,
      PETSTORE_FIRST_KEY_FILE: keyFile,
      PETSTORE_PORT: '0',
      PETSTORE_LOG_LEVEL: 'error',
      PETSTORE_ORDER_HOLD_MS: String(holdMs),
    }
  }
})

async function availablePet({ createPet }: TestApi) {
  return (await createPet({ status: 'available' })).id
}

/** The number of sessions of this database that wait for a lock. */
async function waiting(session: pg.Client): Promise<number> {
  const { rowCount } = await session.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  )
  return rowCount ?? 0
}
