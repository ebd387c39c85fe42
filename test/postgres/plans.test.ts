import assert from 'node:assert/strict'
import { it } from 'node:test'
import { petsList } from '../../src/features/pets/queries.ts'
import type { OrdersFilter } from '../../src/features/sales/contract/orders.ts'
import { inventoryList, ordersList } from '../../src/features/sales/queries.ts'
import { until } from '../harness/until.ts'
import { anyPostgres } from '../processes/postgres.ts'
import { openStore } from '../processes/postgres-store.ts'

const pets = 20_000

/** Pending pets and orders, those of category 1 and pet 1, rare references, and orders of the last day have the last ids; sold ones are rare. */
const fill = `insert into pets (name, name_key, category_id, stated, on_hand)
    select 'Pet ' || n, 'pet ' || n, case when n > ${pets} - 40 then 1 else 2 end,
      case when n > ${pets} - 40 then 'pending' when n % 1000 = 0 then 'sold' else 'available' end, 9
    from generate_series(1, ${pets}) as numbers (n);
  insert into orders (pet_id, quantity, status, reference, created_at, expires_at)
    select case when n > ${pets} - 40 then 1 else 2 end, 1, case when n > ${pets} - 40 then 'pending' else 'expired' end,
      case when n > ${pets} - 30 then 'rare' else 'frequent' end,
      case when n > ${pets} - 40 then 86400000 else n end, 0
    from generate_series(1, ${pets}) as numbers (n);
  analyze`

it('lists read hardly more rows than they return, however rare and far away the matches of a filter are', async (t) => {
  const server = await anyPostgres()
  const address = await server.createDatabase()
  const name = new URL(address).pathname.slice(1)
  t.after(async () => {
    await server.dropDatabase(address)
    await server.stop()
  })
  await (await openStore(address)).close()
  await server.query(fill, name)
  const db = await openStore(address)

  const read = []
  for (const sort of ['id', '-id'] as const) {
    for (const after of [undefined, BigInt(pets) / 2n]) {
      const page = { limit: 20, sort, after }
      for (const filter of [
        { status: 'pending' },
        { status: 'sold' },
        { categoryId: 1n },
        { categoryId: 1n, status: 'pending' },
        { categoryId: 1n, status: 'sold' },
      ] as const) {
        read.push(await db.read(petsList.select, { filter, page }))
      }
      read.push(await db.read(inventoryList.select, { filter: { status: 'pending' }, page }))
      for (const filter of [
        { status: 'pending' },
        { petId: 1n, status: 'pending' },
        { reference: 'rare' },
        { reference: 'rare', status: 'pending' },
        { reference: 'frequent', status: 'pending' },
        { petId: 1n, reference: 'frequent' },
        { petId: 1n, reference: 'rare', status: 'pending' },
        { petId: 1n, reference: 'frequent', status: 'shipped' },
        { id: [7n, BigInt(pets)], reference: 'frequent' },
      ] satisfies OrdersFilter[]) {
        read.push(await db.read(ordersList.select, { filter, page }))
      }
      const createdAfter = '1970-01-02T00:00:00Z'
      for (const filter of [
        { createdAfter },
        { createdAfter, petId: 1n },
      ] satisfies OrdersFilter[]) {
        const found = await db.read(ordersList.probe, { filter, page })
        assert.ok(found)
        read.push(found)
      }
    }
  }
  for (const sort of ['name', '-name'] as const) {
    for (const after of [undefined, { name: 'pet 5', id: BigInt(pets) / 2n }]) {
      const page = { limit: 20, sort, after }
      for (const filter of [{}, { name: 'pet 1' }])
        read.push(await db.read(petsList.select, { filter, page }))
      const found = await db.read(petsList.probe, { filter: { status: 'pending' }, page })
      read.push(found ?? assert.fail('A probe reads few rows.'))
    }
  }
  const total = await db.scan(petsList.count, { status: 'pending' })
  // The server counts the reads of a session soon after its end.
  await db.close()

  const shown = read.reduce((sum, { items }) => sum + items.length, 0)
  assert.equal(total, 40)
  assert.equal(read.length, 80)
  assert.ok(shown > 600, String(shown))
  let fetched = 0
  await until(async () => {
    const { rows } = await server.query(
      "select sum(seq_tup_read + idx_tup_fetch) as fetched from pg_stat_user_tables where relname in ('pets', 'orders')",
      name,
    )
    fetched = Number(rows[0].fetched)
    return fetched >= shown
  })
  assert.ok(fetched < pets, `${fetched} rows were read, ${shown} were shown`)
})
