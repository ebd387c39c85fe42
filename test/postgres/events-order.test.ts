import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import type { Db } from '../../src/db/db.ts'
import { insertInOrder, insertLogged, settledIds } from '../../src/db/postgres/commit-order.ts'
import { sqlOn } from '../../src/db/postgres/sql.ts'
import { log } from '../../src/features/events/log/queries.ts'
import { insertPets } from '../../src/features/pets/queries.ts'
import { documents } from '../harness/documents.ts'
import { amount } from '../harness/extent.ts'
import { repeatUnavailable } from '../harness/repeat.ts'
import { anyPostgres, type PostgresServer } from '../processes/postgres.ts'
import { openSession, openStore } from '../processes/postgres-store.ts'

const columns = [
  { name: 'type', type: 'text' },
  { name: 'record', type: 'text' },
  { name: 'record_id', type: 'bigint' },
  { name: 'created_at', type: 'bigint' },
  { name: 'data', type: 'text' },
  { name: 'actor', type: 'text' },
] as const

/** The query of the guide for the session that delays events. */
const guide = documents().find(({ path }) => path === 'docs/guides/postgresql.md')
const findDelay = guide?.blocks.find(({ text }) => text.includes('pg_locks'))?.text ?? ''

describe('the order of events on PostgreSQL', () => {
  let server: PostgresServer
  let address: string
  let db: Db

  before(async () => {
    server = await anyPostgres()
    address = await server.createDatabase()
    db = await openStore(address)
  })
  after(async () => {
    await db?.close()
    await server.dropDatabase(address)
    await server.stop()
  })

  async function session(t: TestContext) {
    const client = await openSession(t, address)
    return { client, sql: sqlOn(client) }
  }

  const append = (sql: ReturnType<typeof sqlOn>, id: bigint) =>
    insertInOrder(sql, 'events', columns, [['pet.created', 'pet', id, 0n, '{}', '{}']])

  const create = (sql: ReturnType<typeof sqlOn>) => {
    const data = { name: 'Rex', categoryId: 7n }
    const origin = { actor: { type: 'job', name: 'a' }, now: 0 } as const
    const record = { id: 0n, type: 'pet.created', record: 'pet', data, origin }
    const columns = ['name', 'name_key'].map((name) => ({ name, type: 'text' }) as const)
    return insertLogged(
      sql,
      'pets',
      [...columns, { name: 'category_id', type: 'bigint' }],
      [['Rex', 'rex', 7n]],
      { ...log, rows: log.rowsOf([record]) },
    )
  }

  const createPet = () =>
    repeatUnavailable(() => db.write(insertPets, { name: 'Rex', categoryId: 7n }))

  async function readSettled(t: TestContext): Promise<bigint[]> {
    const { sql } = await session(t)
    const { settled } = await settledIds(sql, 'events')
    const rows = await sql.all<[bigint]>('select id from events where id <= ?1 order by id', [
      settled,
    ])
    return rows.map(([id]) => id)
  }

  for (const [kind, change] of [
    ['changed a record', (sql: ReturnType<typeof sqlOn>) => append(sql, 1n)],
    ['created one in the same statement', create],
  ] as const) {
    it(`an event is not shown before one of an older transaction that still runs and ${kind}`, async (t) => {
      const before = await readSettled(t)
      const early = await session(t)
      await early.client.query('begin')
      await change(early.sql)
      const id = await createPet()

      const whileOpen = await readSettled(t)
      const { client } = await session(t)
      const { rows: delays } = await client.query(findDelay)
      await early.client.query('commit')
      const settled = await readSettled(t)

      const { rows: sessions } = await early.client.query('select pg_backend_pid() as pid')
      const found = delays.map(({ pid, wait_event }) => [pid, wait_event])
      assert.deepEqual(found, [[sessions[0].pid, 'ClientRead']])
      assert.deepEqual((await client.query(findDelay)).rows, [])
      assert.deepEqual(whileOpen, before)
      assert.equal(settled.length, before.length + 2)
      const { rows } = await early.client.query('select record_id, data from events order by id')
      assert.equal(rows.at(-1).record_id, `${id}`)
      assert.equal(rows.at(-1).data, `{"id":${id},"name":"Rex","categoryId":7}`)
    })
  }

  it('a transaction that is rolled back, or that logs nothing, delays nothing', async (t) => {
    const before = await readSettled(t)
    const early = await session(t)
    await early.client.query('begin')
    await append(early.sql, 2n)
    await createPet()
    await early.client.query('rollback')
    const foreign = await openSession(t, address)
    await foreign.query('begin; create table busy (id int)')
    await createPet()

    const after = await readSettled(t)

    assert.equal(after.length, before.length + 2)
    await foreign.query('rollback')
  })

  it('locks of other programs, of any number, delay nothing', async (t) => {
    const before = await readSettled(t)
    const foreign = await openSession(t, address)
    for (const number of [-1n, 1n, 2n ** 62n - 1n, 2n ** 63n - 1n, -(2n ** 62n)])
      await foreign.query('select pg_advisory_lock($1)', [number])

    await createPet()

    assert.equal((await readSettled(t)).length, before.length + 1)
  })

  it('of two transactions that change one record, the first has the lower ids', async (t) => {
    const [first, second] = [await session(t), await session(t)]
    const id = await createPet()
    // Both have changed something, so both are numbered; the second changes the pet first.
    for (const { client } of [first, second]) await client.query('begin')
    await first.client.query('update readiness set probed_at = 1')
    await second.client.query("update pets set name = 'b' where id = $1", [id])
    const waiting = first.client.query("update pets set name = 'a' where id = $1", [id])
    await append(second.sql, 102n)
    await second.client.query('commit')
    await waiting
    await append(first.sql, 101n)
    await first.client.query('commit')

    const { rows } = await first.client.query(
      'select record_id from events where record_id > 100 order by id',
    )
    assert.deepEqual(
      rows.map((row) => row.record_id),
      ['102', '101'],
    )
  })

  it('events of concurrent transactions are settled in the order of their ids', async (t) => {
    const { sql } = await session(t)
    let isEnded = false
    const creating = Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let count = 0; count < amount({ quick: 10, full: 200 }); count++) await createPet()
      }),
    ).finally(() => {
      isEnded = true
    })
    const seen: bigint[] = []
    while (!isEnded) {
      const { settled } = await settledIds(sql, 'events')
      const last = seen.at(-1) ?? 0n
      const rows = await sql.all<[bigint]>('select id from events where id <= ?1 order by id', [
        settled > last ? settled : last,
      ])
      const ids = rows.map(([id]) => id)
      assert.deepEqual(
        ids.filter((id) => id <= last),
        seen,
        'an event appeared late',
      )
      seen.splice(0, seen.length, ...ids)
    }
    await creating
    assert.ok(seen.length > 0)
  })
})
