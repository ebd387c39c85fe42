import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Db } from '../../src/db/db.ts'
import { Refusal, Unavailable } from '../../src/db/errors.ts'
import { deletePet } from '../../src/features/pets/delete-pet.ts'
import { insertPets } from '../../src/features/pets/queries.ts'
import { updatePet } from '../../src/features/pets/update-pet.ts'
import { placeOrder } from '../../src/features/sales/create-order.ts'
import { moveOrder } from '../../src/features/sales/move-order.ts'
import { updateInventory } from '../../src/features/sales/update-inventory.ts'
import { amount, cases, itInFull } from '../harness/extent.ts'
import { repeatUnavailable } from '../harness/repeat.ts'
import { freshSeed, SeededRandom } from '../harness/seeded-random.ts'
import { anyPostgres, type PostgresServer } from '../processes/postgres.ts'
import { openSession, openStore } from '../processes/postgres-store.ts'
import { claimOf, insertClaim } from './claims.ts'

const now = Date.parse('2027-01-01T00:00:00Z')
const triesMax = 3
/** Twenty times what ten rounds take, and less than ten waits for a lock. */
const othersMaxMs = 10_000
const twenty = Array.from({ length: 20 })
const seed = Number(process.env.FAULT_SEED ?? freshSeed())

describe('writes of two processes on one PostgreSQL', () => {
  let server: PostgresServer
  let address: string
  let stores: readonly [Db, Db]
  let claims = 0

  before(async () => {
    server = await anyPostgres()
    address = await server.createDatabase()
    const first = await openStore(address)
    stores = [first, await openStore(address)]
  })
  after(async () => {
    await Promise.all(stores?.map((db) => db.close()))
    await server.dropDatabase(address)
    await server.stop()
  })

  const rows = async (text: string) =>
    (await server.query(text, new URL(address).pathname.slice(1))).rows
  const newKey = () => `key ${++claims}`

  /** A pet for sale with this stock; its id. */
  async function petForSale(quantity: number): Promise<bigint> {
    const [db] = stores
    const newPet = { name: 'Rex', categoryId: 7n, status: 'available' } as const
    const id = await repeatUnavailable(() => db.write(insertPets, newPet))
    await repeatUnavailable(() => db.write(updateInventory, { id, body: { quantity }, now }))
    return id
  }

  const create = (db: Db, name: string, key: string) =>
    db.writeIdempotent(insertPets, { name, categoryId: 7n }, claimOf(key, now))
  /** On a busy machine the first request may take longer than the others wait for it. */
  const repeatInUse = async <T>(work: () => Promise<T>): Promise<T> =>
    repeatUnavailable(work).catch((error) => {
      if (error.code === 'idempotency_key_in_use') return repeatInUse(work)
      throw error
    })
  const orderOf = (petId: bigint) => ({ petId, quantity: 1, now, expiresAt: undefined })

  it('2,000 equal requests at two processes have one effect, and the others repeat it', async () => {
    const key = newKey()
    const count = amount({ quick: 100, full: 2_000 })

    const made = await Promise.all(
      Array.from({ length: count }, (_, number) =>
        repeatInUse(() => create(stores[number % 2] as Db, 'One', key)),
      ),
    )

    assert.equal(made.filter(({ isReplayed }) => !isReplayed).length, 1)
    assert.equal(new Set(made.map(({ value }) => value)).size, 1)
    assert.equal((await rows(`select from pets where name = 'One'`)).length, 1)
  })

  itInFull(
    '2,000 requests, each sent to two processes at the same time: one effect each, and few locks',
    async (t) => {
      const keys = Array.from({ length: amount({ quick: 500, full: 2_000 }) }, newKey)
      const session = await openSession(t, address)
      const watching = new AbortController()
      const locks = mostLocks(session, watching.signal)

      const made = await Promise.all(
        keys.flatMap((key) =>
          stores.map((db) => repeatUnavailable(() => create(db, `Twin ${key}`, key))),
        ),
      )
      watching.abort()

      assert.equal(made.filter(({ isReplayed }) => !isReplayed).length, keys.length)
      const stored = await rows(`select count(*)::int as count from pets where name like 'Twin %'`)
      assert.equal(stored[0].count, keys.length)
      t.diagnostic(`${await locks} locks at most`)
      // Some for each transaction, whatever is in it.
      assert.ok((await locks) < 300, `${await locks} locks`)
    },
  )

  for (const kind of cases(['orders of one pet', 'creates'] as const, { quickEvery: 2 })) {
    itInFull(
      `409: keys that another process holds; the ${kind} of their batch are answered meanwhile`,
      async (t) => {
        const [db] = stores
        const petId = await petForSale(100)
        const write = async (key: string) =>
          kind === 'creates'
            ? create(db, 'Rex', key)
            : db.writeIdempotent(placeOrder, orderOf(petId), claimOf(key, now))
        const holder = await openSession(t, address)

        /** Returns how many requests with held keys were refused before all others were answered. */
        async function tryOnce(): Promise<number> {
          const held = twenty.map(newKey)
          await holder.query('begin')
          for (const key of held) await insertClaim(holder, key)
          let early = 0
          const refused = held.map((key) => write(key).finally(() => early++))
          const settled = Promise.allSettled(refused)
          const free = twenty.map(() => {
            const key = newKey()
            return repeatUnavailable(() => write(key))
          })
          const made = await Promise.all(free)
          const earlyCount = early
          for (const one of await settled) {
            assert.equal((one as PromiseRejectedResult).reason.code, 'idempotency_key_in_use')
          }
          await holder.query('rollback')
          assert.ok(made.every(({ isReplayed }) => !isReplayed))
          assert.equal((await write(held[0] as string)).isReplayed, false)
          return earlyCount
        }

        let early = 1
        // On a busy machine the others may take longer than a lock is waited for.
        for (let tries = 1; tries <= triesMax && early > 0; tries++) early = await tryOnce()
        assert.equal(early, 0, 'others waited for the held keys')
      },
    )
  }

  itInFull(
    '503 or 201 for a pet that a console has locked; other orders and moves go on meanwhile',
    async (t) => {
      const [db] = stores
      const petIds = []
      for (let number = 0; number < 8; number++) petIds.push(await petForSale(100))
      const locked = petIds[3] as bigint
      const placed = await Promise.all(petIds.map((petId) => db.write(placeOrder, orderOf(petId))))
      const console = await openSession(t, address)
      await console.query('begin')
      await console.query('select from pets where id = $1 for update', [locked])

      const waiting: Promise<unknown>[] = []
      let answeredLocked = 0
      const startMs = performance.now()
      for (let round = 0; round < 10; round++) {
        const writes = petIds.map((petId) => ({
          petId,
          done: db.write(placeOrder, orderOf(petId)),
        }))
        if (round === 0) {
          for (const { id, petId } of placed) {
            writes.push({ petId, done: db.write(moveOrder, { id, target: 'shipped', now }) })
          }
        }
        const [ofLocked, ofOthers] = [true, false].map((isLocked) =>
          writes.filter(({ petId }) => (petId === locked) === isLocked).map(({ done }) => done),
        ) as [Promise<unknown>[], Promise<unknown>[]]
        for (const one of ofLocked) {
          waiting.push(one)
          one.then(() => answeredLocked++).catch(() => undefined)
        }
        await Promise.all(ofOthers)
      }
      const tookMs = Math.round(performance.now() - startMs)
      assert.equal(answeredLocked, 0)
      await console.query('rollback')
      const settled = await Promise.allSettled(waiting)

      t.diagnostic(`others took ${tookMs} ms for 10 rounds`)
      assert.ok(tookMs < othersMaxMs, `the others took ${tookMs} ms`)
      for (const one of settled) {
        if (one.status === 'rejected') assert.ok(one.reason instanceof Unavailable, one.reason)
      }
      const fulfilled = settled.filter(({ status }) => status === 'fulfilled').length
      const [stock] = await rows(`select reserved from pets where id = ${locked}`)
      assert.ok([fulfilled, fulfilled + 1].includes(Number(stock.reserved)))
    },
  )

  itInFull(
    'updates, deletions, orders and moves of the same pets at two processes: none fails, and the stock is right',
    async (t) => {
      const random = new SeededRandom(seed)
      t.diagnostic(`FAULT_SEED=${seed}`)
      const petIds: bigint[] = []
      for (let number = 0; number < 6; number++) petIds.push(await petForSale(1_000))
      const orderIds: bigint[] = []
      const pick = <T>(list: readonly T[]) => list[Math.floor(random.next() * list.length)] as T
      const outcomes = { done: 0, refused: 0, unavailable: 0 }

      async function writeAny(db: Db): Promise<void> {
        const id = pick(petIds)
        const chance = random.next()
        if (chance < 0.45) orderIds.push((await db.write(placeOrder, orderOf(id))).id)
        else if (chance < 0.7 && orderIds.length > 0) {
          const target = pick(['cancelled', 'shipped', 'delivered'] as const)
          await db.write(moveOrder, { id: pick(orderIds), target, now })
        } else if (chance < 0.8) {
          const quantity = 1_000 + Math.floor(random.next() * 10)
          await db.write(updateInventory, { id, body: { quantity }, now })
        } else if (chance < 0.998) {
          const body = pick([
            { name: 'Ann' },
            { status: 'pending' },
            { status: 'available' },
          ] as const)
          await db.write(updatePet, { id, now, body })
        } else await db.write(deletePet, { id, now })
      }
      const note = (error: unknown) => {
        if (error instanceof Refusal) outcomes.refused += 1
        else if (error instanceof Unavailable) outcomes.unavailable += 1
        else throw error
      }
      const client = async (number: number) => {
        for (let write = 0; write < amount({ quick: 5, full: 100 }); write++) {
          await writeAny(stores[number % 2] as Db).then(() => outcomes.done++, note)
        }
      }
      await Promise.all(Array.from({ length: 48 }, (_, number) => client(number)))

      const [seen] = await rows(
        'select deadlocks from pg_stat_database where datname = current_database()',
      )
      t.diagnostic(`${JSON.stringify(outcomes)}, ${seen.deadlocks} deadlocks`)
      assert.ok(outcomes.done > outcomes.unavailable)
      const wrong = await rows(`select id, on_hand, reserved, open from pets join
      (select pet_id, sum(quantity) filter (where status in ('pending', 'shipped')) as open
        from orders group by pet_id) as of_pet on pet_id = id
      where reserved <> coalesce(open, 0)`)
      assert.deepEqual(wrong, [])
    },
  )
})

/** The most locks that were seen at one moment until the signal. */
async function mostLocks(session: pg.Client, signal: AbortSignal): Promise<number> {
  let most = 0
  while (!signal.aborted) {
    const { rows } = await session.query(
      `select count(*)::int as count from pg_locks join pg_database on pg_database.oid = database
      where datname = current_database()`,
    )
    most = Math.max(most, rows[0].count)
    await sleep(1)
  }
  return most
}
