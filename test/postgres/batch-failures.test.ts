import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { type Db, defineWrite, type Tx } from '../../src/db/db.ts'
import { transactionMoves } from '../../src/db/postgres/transaction.ts'
import { categoryWrites } from '../../src/features/categories/queries.ts'
import { insertPets } from '../../src/features/pets/queries.ts'
import { moveOrder } from '../../src/features/sales/move-order.ts'
import { itInFull } from '../harness/extent.ts'
import { impossibleMoves, unmadeMoves } from '../harness/moves.ts'
import { until } from '../harness/until.ts'
import { type FaultProxy, startFaultProxy } from '../processes/fault-proxy.ts'
import { anyPostgres, type PostgresServer } from '../processes/postgres.ts'
import { spoilInserts } from '../processes/postgres-moments.ts'
import { openSession, openStore } from '../processes/postgres-store.ts'
import { claimOf, insertClaim } from './claims.ts'

const ten = Array.from({ length: 10 })
const aPet = { name: 'Rex', categoryId: 1n, status: 'available' } as const

const unmade = unmadeMoves(transactionMoves)

describe('a batch on PostgreSQL that fails as a whole', () => {
  let server: PostgresServer
  let address: string
  let proxy: FaultProxy
  let db: Db

  before(async () => {
    server = await anyPostgres()
    address = await server.createDatabase()
    proxy = await startFaultProxy(server.port)
    db = await openStore(viaPort(address, proxy.port))
    await run(
      `insert into keys (name, hint, digest, scopes, created_at) values ('a', 'b', '\\x${'ab'.repeat(32)}', 'pets:read', 1)`,
    )
  })
  after(async () => {
    await db.close()
    await proxy.close()
    await server.dropDatabase(address)
    await server.stop()
  })

  const run = async (text: string) => (await server.query(text, nameOf(address))).rows
  const named = async (name: string) =>
    (await run(`select id from pets where name = '${name}'`)).length

  it('replays what another process stored, although it presumed the key to be new', async () => {
    const pet = { ...aPet, name: 'Theirs' }
    const other = await openStore(address)
    const theirs = await other.writeIdempotent(insertPets, pet, claimOf('theirs'))
    await other.close()

    const ours = await db.writeIdempotent(insertPets, pet, claimOf('theirs'))

    assert.deepEqual([ours.value, ours.isReplayed], [theirs.value, true])
    assert.equal(await named('Theirs'), 1)
  })

  it('stores nothing of an input that breaks behind its insert', async () => {
    const breaking = defineWrite<string, null>({
      name: 'breaking',
      async run(tx, [name = '']) {
        const columns = 'name, name_key, canonical_name'
        await tx.all(`insert into categories (${columns}) values (?1, ?1, ?1)`, [name])
        throw new Error('It broke.')
      },
    })

    await assert.rejects(db.write(breaking, 'Broken'), /It broke/)

    assert.deepEqual(await run("select from categories where name = 'Broken'"), [])
  })

  it('refuses only the job whose claim another process holds', async (t) => {
    const holder = await openSession(t, address)
    await holder.query('begin')
    await insertClaim(holder, 'held')

    const keyed = db.writeIdempotent(insertPets, aPet, claimOf('held'))
    const plain = await Promise.all([db.write(insertPets, aPet), db.write(insertPets, aPet)])
    await holder.query('rollback')

    assert.equal(plain.length, 2)
    assert.equal((await keyed).isReplayed, false)
  })

  it('replays a result beside a refused job', async () => {
    const mine = { name: 'Mine' }
    const claim = claimOf('category')
    await db.write(categoryWrites.insert, { name: 'Taken' })
    const first = await db.writeIdempotent(categoryWrites.insert, mine, claim)

    const [repeated, refused] = await Promise.allSettled([
      db.writeIdempotent(categoryWrites.insert, mine, claim),
      db.write(categoryWrites.insert, { name: 'Taken' }),
    ])

    assert.partialDeepStrictEqual(repeated, {
      status: 'fulfilled',
      value: { value: first.value, isReplayed: true },
    })
    assert.match(String((refused as PromiseRejectedResult).reason), /called "Taken"/)
  })

  for (const sqlState of ['08P01', 'XX000']) {
    it(`stores once, and denies nothing, when a pooler reports ${sqlState} instead of the result`, async () => {
      const pet = { ...aPet, name: sqlState }
      proxy.cutAt(/^with [^;]*insert into pets /, { sqlState }, 1)

      await assert.rejects(db.write(insertPets, pet), (error: Error) => {
        assert.doesNotMatch(error.message, /Nothing was stored/)
        return true
      })

      assert.equal(await named(sqlState), 1)
    })
  }

  for (const [cause, statement, moment, kept] of [
    ['before its commit', /insert into pets [^;]*$/, 'answered', 'none'],
    ['before its commit is received', /; commit$/, 'unsent', 'none'],
    ['after its commit', /; commit$/, 'answered', 'all'],
  ] as const) {
    it(`503 for all when the connection is lost ${cause}: ${kept} are stored, and once when repeated`, async () => {
      const create = (_: unknown, index: number) =>
        db.writeIdempotent(insertPets, { ...aPet, name: cause }, claimOf(`${cause} ${index}`))
      proxy.cutAt(statement, moment, 1)

      const failed = await Promise.allSettled(ten.map(create))
      const stored = await named(cause)
      const repeated = await Promise.all(ten.map(create))

      const expected =
        cause === 'before its commit' ? /Nothing was stored/ : /is stored or it is not/
      for (const one of failed)
        assert.match(String((one as PromiseRejectedResult).reason), expected)
      assert.equal(stored, kept === 'all' ? 10 : 0)
      assert.ok(repeated.every(({ isReplayed }) => isReplayed === (kept === 'all')))
      assert.equal(await named(cause), 10)
    })
  }

  for (const [sqlState, times] of [
    ['40001', 1],
    ['40P01', 3],
  ] as const) {
    it(`stores all once when its transaction fails with ${sqlState}, ${times} times`, async () => {
      const instead = `raise exception 'again' using errcode = '${sqlState}'`
      const name = `after ${sqlState}`
      const spoilt = spoilInserts(address, { instead, times })
      await until(
        async () => (await run("select from pg_trigger where tgname = 'spoil'")).length > 0,
      )

      const made = await Promise.all(ten.map(() => db.write(insertPets, { ...aPet, name })))
      await spoilt

      assert.equal(new Set(made).size, 10)
      assert.equal(await named(name), 10)
    })
  }

  itInFull('looks for a lost server at its own pace, not for each of its jobs', async () => {
    const lost = await startFaultProxy(server.port)
    const other = await openStore(viaPort(address, lost.port))
    await lost.close()
    let connections = 0
    const closed = createServer((socket) => {
      connections += 1
      socket.destroy()
    }).listen(lost.port, '127.0.0.1')

    const jobs = Array.from({ length: 200 }, () => other.write(insertPets, aPet))
    const outcomes = await Promise.allSettled(jobs)
    await other.close()
    closed.close()

    assert.ok(outcomes.every(({ status }) => status === 'rejected'))
    // Twice a second for as long as the jobs wait.
    assert.ok(connections < jobs.length / 4, `${connections} connections`)
  })

  it('404: does not move an order that was placed after its pets were locked', async (t) => {
    const session = await openSession(t, address)
    const petId = await db.write(insertPets, aPet)
    const placed = `insert into orders (pet_id, quantity, status, created_at)
      values (${petId}, 1, 'pending', 1) returning id`
    const [{ id }] = (await run(placed)) as [{ id: string }]
    await run(`delete from orders where id = ${id}`)
    const orderId = BigInt(id) + 1n
    /** The order is placed when the ids were read once. */
    const moving = defineWrite({
      name: 'moving',
      run(tx: Tx, moves: { id: bigint; target: 'shipped'; now: number }[]) {
        let reads = 0
        const all: Tx['all'] = async (text, parameters) => {
          if (/from orders where/.test(text) && reads++ === 1) await session.query(placed)
          return tx.all(text, parameters)
        }
        return moveOrder.run({ ...tx, all }, moves)
      },
    })

    const moved = db.write(moving, { id: orderId, target: 'shipped', now: 2 })

    await assert.rejects(moved, /There is no order/)
    assert.deepEqual(await run(`select status from orders where id = ${orderId}`), [
      { status: 'pending' },
    ])
  })

  it('its transactions made each move, and no other is possible', () => {
    assert.deepEqual([...unmade], [])
    assert.deepEqual(impossibleMoves(transactionMoves), {
      new: 'undo',
      committing: 'statement commit',
      undone: 'statement commit undo',
    })
  })
})

const nameOf = (address: string) => new URL(address).pathname.slice(1)

function viaPort(address: string, port: number): string {
  const url = new URL(address)
  url.port = String(port)
  return url.href
}
