import assert from 'node:assert/strict'
import { mkdtempDisposableSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Counts, OrdersHistory } from '../consistency/orders/history.ts'
import { orderMeanwhile, requireSound } from '../consistency/orders/rounds.ts'
import { stockPets } from '../consistency/orders/traffic.ts'
import { freshSeed, SeededRandom } from '../harness/seeded-random.ts'
import { launchService, settingsFor, startService } from '../processes/process.ts'

/** Each step lets the log grow this much beyond the size of the database. */
const stepBytes = 36 * 1024
const steps = 2
const loadMs = 300
const failedMaxMs = 30_000
/** One stock outlasts the log: orders that are refused write nothing. */
const stocks = [1, 2, 5, 2_000]
/** POSIX defines the unit of `ulimit -f` as 512 bytes; some shells use 1,024. */
const blockBytes = 512
const skip = process.platform === 'win32' ? 'needs ulimit' : false

// Files cannot grow beyond `ulimit -f`: SQLite gets a real SQLITE_IOERR_WRITE there.
it('503: orders that failed on a write error are placed once when they are repeated with their keys', {
  skip,
}, async (t) => {
  const seed = Number(process.env.FAULT_SEED ?? freshSeed())
  const random = new SeededRandom(seed)
  const sums: Counts = { placed: 0, refused: 0, unknown: 0 }
  for (let step = 1; step <= steps; step++) {
    const counts = await orderWithLimit(random, step * stepBytes)
    for (const name of ['placed', 'refused', 'unknown'] as const) sums[name] += counts[name]
  }

  t.diagnostic(`FAULT_SEED=${seed} ${JSON.stringify(sums)}`)
  assert.ok(sums.unknown > 0, 'no order met a write error: this proves nothing')
  assert.ok(sums.placed > 0 && sums.refused > 0)
})

/** Orders from a service with a file size limit, then from one without. */
async function orderWithLimit(random: SeededRandom, growthBytes: number): Promise<Counts> {
  using directory = mkdtempDisposableSync(join(tmpdir(), 'petstore-order-errors-'))
  const env = settingsFor(directory.path)
  const history = new OrdersHistory()
  const petIds = await makeStore(env, history)
  const limitBytes = statSync(join(directory.path, 'petstore.db')).size + growthBytes
  const startMs = performance.now()
  await using limited = await launchService({
    env,
    wrapper: ['sh', '-c', `ulimit -f ${limitBytes / blockBytes}; exec "$0" "$@"`],
  }).ready
  await orderMeanwhile(
    { baseUrls: [limited.baseUrl], key: limited.key, history },
    {
      petIds,
      random,
      disturb: () => Promise.race([limited.exited, untilFailed(history)]),
    },
  )
  await limited.kill()

  await using service = await startService({ env })
  const shop = { baseUrls: [service.baseUrl], key: service.key, history }
  await requireSound(shop, { sinceMs: startMs, repeatSinceMs: startMs })
  return history.count()
}

/** Orders are sent for a while, and until one of them has failed. */
async function untilFailed(history: OrdersHistory): Promise<void> {
  const giveUpMs = performance.now() + failedMaxMs
  await sleep(loadMs)
  while (history.count().unknown === 0 && performance.now() < giveUpMs) await sleep(5)
}

/** A database with an empty write-ahead log: all data is in its main file. */
async function makeStore(env: Record<string, string>, history: OrdersHistory): Promise<number[]> {
  const service = await startService({ env })
  const shop = { baseUrls: [service.baseUrl], key: service.key, history }
  const petIds = await stockPets(shop, stocks)
  await service.stop()
  return petIds
}
