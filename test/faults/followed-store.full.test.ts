import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { PetstoreClient } from '../../client/src/index.ts'
import { readerOf } from '../consistency/creates/clients.ts'
import { OrdersHistory } from '../consistency/orders/history.ts'
import {
  orderMeanwhile,
  requireSound,
  stockForLoad,
  untilOrdered,
} from '../consistency/orders/rounds.ts'
import { type Event, readLists, repeat } from '../harness/mirror.ts'
import { freshSeed, SeededRandom } from '../harness/seeded-random.ts'
import { aDirectory } from '../processes/command.ts'
import { anyPostgres } from '../processes/postgres.ts'
import { settingsFor, startService } from '../processes/process.ts'

const kills = 6
const holdMs = 150
const pollMs = 20
/** Twenty times what a stream needs to connect again and to catch up. */
const equalMaxMs = 60_000

it('a mirror that begins under load becomes and stays what the lists return, through kill -9', (t) =>
  followThroughKills(t, settingsFor(aDirectory(t))))

it('a mirror of a store on PostgreSQL, through kill -9', async (t) => {
  const server = await anyPostgres()
  try {
    const database = await server.createDatabase()
    await followThroughKills(t, { ...settingsFor(aDirectory(t)), PETSTORE_DATABASE: database })
  } finally {
    await server.stop()
  }
})

async function followThroughKills(t: TestContext, settings: Record<string, string>) {
  const env = { ...settings, PETSTORE_ORDER_HOLD_MS: String(holdMs) }
  const random = new SeededRandom(Number(process.env.CHAOS_SEED ?? freshSeed()))
  const history = new OrdersHistory()
  let service = await startService({ env })
  // A restarted service listens where its clients look for it.
  const { port } = new URL(service.baseUrl)
  const shop = { baseUrls: [service.baseUrl], key: service.key, history }
  const reader = readerOf(shop, 0)
  let follower: Awaited<ReturnType<typeof mirrorOf>> | undefined
  try {
    for (let round = 0; round < kills; round++) {
      const startMs = performance.now()
      await orderMeanwhile(shop, {
        petIds: await stockForLoad(shop),
        random,
        async disturb() {
          await untilOrdered(shop, startMs)
          follower ??= await mirrorOf(shop)
          await sleep(random.between(30, 300))
          await service.kill()
          service = await startService({ env: { ...env, PETSTORE_PORT: port } })
          await untilOrdered(shop, performance.now())
        },
      })
      await requireSound(shop, { sinceMs: startMs, repeatSinceMs: startMs })
      await follower?.untilEqual()
    }

    t.diagnostic(`${follower?.seen.length} events, ${JSON.stringify(history.count())}`)
    assert.deepEqual(
      follower?.seen,
      [...new Set(follower?.seen)].sort((a, b) => Number(a - b)),
    )
    assert.deepEqual(follower?.mirror, await readLists(reader))
  } finally {
    follower?.stop()
    await service.kill()
  }
}

/** A mirror of the store from now on: the last position, then the lists, then what follows the position. */
async function mirrorOf(targets: { baseUrls: string[]; key: string }) {
  const reader = readerOf(targets, 0)
  const client = new PetstoreClient({ baseUrl: targets.baseUrls[0] ?? '', key: targets.key })
  const [last] = (await client.events.list({ sort: '-id', limit: 1 })).data
  const mirror = await readLists(reader)
  const seen: bigint[] = []
  const stopping = new AbortController()
  const { signal } = stopping
  const following = (async () => {
    for await (const event of client.events.follow({ after: last?.id, signal })) {
      repeat(mirror, event as unknown as Event)
      seen.push(BigInt(event.id))
    }
  })()
  let failure: unknown
  following.catch((error: unknown) => (failure = error))

  return {
    mirror,
    seen,
    stop: () => stopping.abort(),
    async untilEqual() {
      const giveUpMs = performance.now() + equalMaxMs
      while (!isDeepStrictEqual(mirror, await readLists(reader))) {
        assert.equal(failure, undefined, String(failure))
        if (performance.now() > giveUpMs) assert.deepEqual(mirror, await readLists(reader))
        await sleep(pollMs)
      }
    },
  }
}
