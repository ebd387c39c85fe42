import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Query, ScanSql } from '../db/db.ts'
import type { PageRequest } from '../db/lists/select-page.ts'
import { loadMigrations } from '../db/schema/migrate.ts'
import { type Connection, connect } from '../db/sqlite/connection.ts'
import { countResults } from '../db/writes/idempotency-storage.ts'
import { detailsList } from '../features/details/queries.ts'
import { petsList } from '../features/pets/queries.ts'
import { inventoryList, ordersList } from '../features/sales/queries.ts'

type List = { select: Query<{ filter: Record<string, unknown>; page: PageRequest }, unknown> }

/** The filters of a list by the column that they equal. */
const lists: { name: string; list: unknown; filters: Record<string, [string, unknown]> }[] = [
  {
    name: 'pets',
    list: petsList,
    filters: { category_id: ['categoryId', 1n], status: ['status', 'sold'] },
  },
  { name: 'details', list: detailsList, filters: { price_currency: ['currency', 'EUR'] } },
  { name: 'inventory', list: inventoryList, filters: { status: ['status', 'sold'] } },
  {
    name: 'orders',
    list: ordersList,
    filters: {
      pet_id: ['petId', 1n],
      reference: ['reference', 'Web shop'],
      status: ['status', 'pending'],
    },
  },
]

const pages: PageRequest[] = (['id', '-id'] as const).flatMap((sort) =>
  [undefined, 7n].map((after) => ({ limit: 20, sort, after })),
)

for (const { name, list, filters } of lists) {
  it(`every combination of filters of ${name} is found by one index, in order of ids`, async () => {
    const connection = connect(':memory:')
    for (const { sql } of loadMigrations('sqlite')) connection.exec(sql)

    for (const columns of subsetsOf(Object.keys(filters))) {
      const filter = Object.fromEntries(columns.map((column) => filters[column] ?? []))
      for (const page of pages) {
        const { select } = list as List
        const plan = await planOf(connection, (sql) => select.run(sql, [{ filter, page }]))
        const [search = '', ...others] = plan
        assert.deepEqual(others, [], plan.join('\n'))
        assert.match(search, /^SEARCH \w+ USING (?:COVERING )?INDEX /)
        for (const column of columns) assert.ok(search.includes(`${column}=?`), search)
      }
    }
    connection.close()
  })
}

it('a page in the order of names begins at its place, however many pets have that name', async () => {
  const connection = connect(':memory:')
  for (const { sql } of loadMigrations('sqlite')) connection.exec(sql)
  const page = { limit: 20, sort: 'name', after: { name: 'rex', id: 7n } } as const

  const plan = await planOf(connection, (sql) => petsList.select.run(sql, [{ filter: {}, page }]))

  assert.match(plan.join('\n'), /USING INDEX pets_name \(name_key=\? AND id>\?\)/)
  assert.doesNotMatch(plan.join('\n'), /SCAN pets/)
  connection.close()
})

it('orders of some days are found along the index of when they were placed', async () => {
  const connection = connect(':memory:')
  for (const { sql } of loadMigrations('sqlite')) connection.exec(sql)
  const days = { createdAfter: '2026-11-21T00:00:00Z', createdBefore: '2026-11-28T00:00:00Z' }

  for (const filter of [days, { ...days, status: 'pending', petId: 1n }] as const) {
    for (const page of pages) {
      const plan = await planOf(connection, (sql) => ordersList.probe.run(sql, [{ filter, page }]))
      assert.match(
        plan.join('\n'),
        /^SEARCH orders USING COVERING INDEX orders_created \(created_at>\? AND created_at<\?\)$/m,
      )
      assert.doesNotMatch(plan.join(), /TEMP B-TREE/)
    }
  }
  connection.close()
})

it('the results of Idempotency-Keys are counted without reading them', async () => {
  const connection = connect(':memory:')
  for (const { sql } of loadMigrations('sqlite')) connection.exec(sql)

  const plan = await planOf(connection, (sql) => countResults.run(sql, { now: 0 }, () => undefined))

  assert.match(plan.join('\n'), /^SEARCH idempotency_keys USING COVERING INDEX /)
  connection.close()
})

/** The plans of the statements that a read runs, in SQLite's words. */
async function planOf(
  connection: Connection,
  read: (sql: ScanSql) => Promise<unknown>,
): Promise<string[]> {
  const plan: string[] = []
  const all: Connection['all'] = (text, parameters) => {
    const rows = connection.all(`explain query plan ${text}`, parameters)
    plan.push(...rows.map(([, , , detail]) => String(detail)))
    return []
  }
  await read({ ...connection, all, compareSchema: () => [] })
  return plan
}

/** All subsets but the empty one. */
function subsetsOf<T>(all: readonly T[]): T[][] {
  return Array.from({ length: 2 ** all.length - 1 }, (_, index) =>
    all.filter((_one, bit) => ((index + 1) >> bit) & 1),
  )
}
