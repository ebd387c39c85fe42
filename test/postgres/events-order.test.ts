import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import type { Db } from '../../src/db/db.ts'
import { anchorIds, insertInOrder, settledId } from '../../src/db/postgres/commit-order.ts'
import { sqlOn } from '../../src/db/postgres/sql.ts'
import { insertPets } from '../../src/features/pets/queries.ts'
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

describe('the order of events on PostgreSQL', { timeout: 240_000 }, () => {
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

  const createPet = () =>
    repeatUnavailable(() => db.write(insertPets, { name: 'Rex', categoryId: 7n }))

  async function readSettled(t: TestContext): Promise<bigint[]> {
    const { sql } = await session(t)
    const settled = await settledId(sql, 'events')
    const rows = await sql.all<[bigint]>('select id from events where id <= ?1 order by id', [
      settled,
    ])
    return rows.map(([id]) => id)
  }

  it('an event is not shown before one of an older transaction that still runs', async (t) => {
    const early = await session(t)
    await early.client.query('begin')
    await append(early.sql, 1n)
    await createPet()

    const whileOpen = await readSettled(t)
    await early.client.query('commit')
    const settled = await readSettled(t)

    assert.deepEqual(whileOpen, [])
    assert.equal(settled.length, 2)
    const { rows } = await early.client.query('select record_id from events order by id')
    assert.deepEqual(
      rows.map((row) => row.record_id),
      ['1', '1'],
    )
  })

  it('a transaction that is rolled back, or that runs in another database, delays nothing', async (t) => {
    const before = await readSettled(t)
    const early = await session(t)
    await early.client.query('begin')
    await append(early.sql, 2n)
    await createPet()
    await early.client.query('rollback')
    const other = await server.createDatabase()
    const foreign = await openSession(t, other)
    await foreign.query('begin; create table busy (id int)')
    await createPet()

    const after = await readSettled(t)

    assert.equal(after.length, before.length + 2)
    await foreign.end()
    await server.dropDatabase(other)
  })

  it('ids ascend behind those that were skipped, also where transactions are counted anew', async (t) => {
    const { sql, client } = await session(t)
    const before = (await readSettled(t)).at(-1) ?? 0n
    // As in a cluster that has counted fewer transactions than the one that the rows come from.
    await client.query('update events_order set anchor_transaction = anchor_transaction + 1000000')

    await anchorIds(sql, 'events', await sql.lastId('events'))
    await createPet()
    const [last] = (await readSettled(t)).slice(-1)
    await client.query('begin')
    await sql.skipIds('events', 2n ** 40n)
    await client.query('commit')
    await createPet()

    assert.ok((last ?? 0n) > before, `${last} is not above ${before}`)
    assert.ok(((await readSettled(t)).at(-1) ?? 0n) > 2n ** 40n)
  })
})
