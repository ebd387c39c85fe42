import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sellAtOnce } from '../consistency/orders/sell-at-once.ts'
import { isOnPostgres } from '../harness/engine.ts'
import { amount, itInFull } from '../harness/extent.ts'
import { type SoldStore, serving } from '../harness/sell-in-store.ts'
import { brokenRule, soldStore } from '../harness/sold-store.ts'
import { type Found, findingsOf, messagesOf, verify } from '../harness/verify.ts'
import { petstoreInThread } from '../processes/command-thread.ts'

/** A statement that makes the next id of a table 2. */
function forgetIds(table: string): string {
  if (isOnPostgres) return `select setval('${table}_id_seq', 1)`
  return table === 'pets'
    ? `delete from sqlite_sequence where name = 'pets'`
    : `update sqlite_sequence set seq = 1 where name = '${table}'`
}

/** Expects these findings and no others, and that a repair corrects all but the ones named. */
async function expectRepair(store: SoldStore, expected: Found[], left: Found[] = []) {
  const before = await verify(store)
  const repaired = await verify(store, '--repair', '--yes')

  assert.deepEqual(findingsOf(before.report.checks), expected)
  assert.deepEqual([before.code, before.report.ok, before.report.found], [79, false, undefined])
  assert.deepEqual(findingsOf(repaired.report.checks), left)
  assert.equal(repaired.code, left.length === 0 ? 0 : 79, repaired.stderr)
  assert.equal(repaired.report.ok, left.length === 0)
  const isPlanned = left.length < expected.length
  assert.deepEqual(repaired.report.found, isPlanned ? before.report.checks : undefined)
  return before.report
}

it('0 stopped: a store with orders in every status, and stored results, has no findings', async (t) => {
  const store = await soldStore(t)
  const statuses = await store.rows('select status from orders order by id')

  const { code, report, stderr } = await verify(store)

  assert.deepEqual(statuses, ['expired', 'pending', 'shipped', 'delivered', 'cancelled'])
  assert.deepEqual([code, report.ok, stderr], [0, true, ''])
  assert.deepEqual(Object.keys(report), ['ok', 'checks'])
  const names = report.checks.map(({ name }) => name).join(' ')
  assert.equal(
    names,
    'files schema words stock openOrders orders webhooks environment keys ids nameKeys derivedColumns texts',
  )
  assert.deepEqual(findingsOf(report.checks), [])
})

it("79 finding: reserved is more or less than the pet's open orders hold", async (t) => {
  const store = await soldStore(t)
  await store.damage(
    'update pets set reserved = reserved + 4 where id = 1',
    'update pets set reserved = 1 where id = 2',
  )

  const report = await expectRepair(store, [
    ['stock', 'pets 1'],
    ['stock', 'pets 2'],
  ])

  assert.deepEqual(messagesOf(report, 'pets 1'), [
    'Pet 1 has 9 on hand and 7 reserved; its open orders hold 3. set reserved to 3',
  ])
  assert.deepEqual(await store.rows('select id, on_hand, reserved from pets order by id'), [
    '1|9|3',
    '2|1|0',
    '4|1|0',
  ])
})

it('79 finding: more of a pet is reserved than is in stock', async (t) => {
  const store = await soldStore(t)
  await store.damage('update pets set on_hand = 2 where id = 1')

  const report = await expectRepair(store, [...brokenRule, ['stock', 'pets 1']])

  assert.deepEqual(messagesOf(report, 'pets 1'), [
    'Pet 1 has 2 on hand and 3 reserved; its open orders hold 3. raise on_hand to 3, since so many were promised',
  ])
  assert.deepEqual(await store.rows('select on_hand, reserved from pets where id = 1'), ['3|3'])
})

it('79 finding: an open order without its pet is cancelled by a repair, unless it was shipped', async (t) => {
  const store = await soldStore(t)
  await store.damage('delete from pets where id = 1')

  const report = await expectRepair(
    store,
    [
      ['openOrders', 'orders 2'],
      ['openOrders', 'orders 3'],
    ],
    [['openOrders', 'orders 3']],
  )

  assert.deepEqual(messagesOf(report, 'orders 2'), [
    'Order 2 is pending, but there is no pet 1. cancel it',
  ])
  assert.deepEqual(messagesOf(report, 'orders 3'), [
    'Order 3 is shipped, but there is no pet 1. null',
  ])
  assert.deepEqual(await store.rows('select status from orders order by id'), [
    'expired',
    'cancelled',
    'shipped',
    'delivered',
    'cancelled',
  ])
})

it('79 finding: an order whose dates do not match its status is not repaired', async (t) => {
  const store = await soldStore(t)
  await store.damage(
    'update orders set expires_at = null where id = 1',
    'update orders set ship_date = created_at where id = 2',
    'update orders set ship_date = null where id = 3',
    'update orders set ship_date = created_at - 60001 where id = 4',
  )
  const orders = await store.rows('select * from orders order by id')
  const wrong = [1, 2, 3, 4].map((id): Found => ['orders', `orders ${id}`])

  const report = await expectRepair(store, wrong, wrong)

  const [expired, pending, shipped, delivered] = wrong.map(([, record]) =>
    messagesOf(report, record ?? ''),
  )
  assert.deepEqual(expired, ['Order 1 is expired without an expires_at. null'])
  assert.deepEqual(pending, ['Order 2 is pending and has a ship_date. null'])
  assert.deepEqual(shipped, ['Order 3 is shipped without a ship_date. null'])
  assert.match(
    delivered?.[0] ?? '',
    /^Order 4 was shipped at \d+, before it was placed at \d+\. null$/,
  )
  assert.deepEqual(await store.rows('select * from orders order by id'), orders)
})

it('0 stopped: dates may differ by a minute, as the clocks of several machines do', async (t) => {
  const store = await soldStore(t)
  await store.damage('update orders set ship_date = created_at - 60000 where id in (3, 4)')

  const { code, report } = await verify(store)

  assert.deepEqual([code, findingsOf(report.checks)], [0, []])
})

itInFull('79 finding: a table would reuse ids; after the repair it assigns new ones', async (t) => {
  const store = await soldStore(t)
  for (const name of ['a', 'b']) await petstoreInThread(['keys', 'create', '--name', name], store)
  await store.damage(...['pets', 'orders', 'categories', 'keys'].map(forgetIds))

  await expectRepair(store, [
    ['ids', 'pets 4'],
    ['ids', 'categories 2'],
    ['ids', 'orders 5'],
    ['ids', 'keys 3'],
  ])

  await serving(store.env, async (send) => {
    assert.equal((await send('POST', '/pets', { name: 'Dan', categoryId: 1 })).id, 5)
    assert.equal((await send('POST', '/store/orders', { petId: 1 })).id, 6)
    assert.equal((await send('POST', '/categories', { name: 'Birds' })).id, 3)
  })
  const { stdout } = await petstoreInThread(['keys', 'create', '--name', 'next'], store)
  assert.match(stdout, /^pet_live_/)
  assert.deepEqual(await store.rows('select max(id) from keys'), ['4'])
})

it('79 finding: a pet would not be found by its name', async (t) => {
  const store = await soldStore(t)
  await store.damage(
    `update pets set name_key = 'Ænne' where id = 4`,
    `update categories set name_key = 'hounds' where id = 1`,
    `insert into categories (name, name_key) values ('CATS', 'felines')`,
  )

  const report = await expectRepair(
    store,
    [
      ['nameKeys', 'pets 4'],
      ['nameKeys', 'categories 1'],
      ['nameKeys', 'categories 3'],
    ],
    [['nameKeys', 'categories 3']],
  )

  assert.match(String(messagesOf(report, 'categories 3')), /"cats", which another row has\. null$/)
  assert.deepEqual(await store.rows('select name_key from pets where id = 4'), ['ænne "\\" ω'])
  assert.deepEqual(await store.rows('select name_key from categories order by id'), [
    'dogs',
    'cats',
    'felines',
  ])
})

it('79 finding: a pet would not be found by words of its name', async (t) => {
  const store = await soldStore(t)
  await store.damage(
    'delete from pet_words',
    'delete from pet_words_progress',
    'insert into pet_words_progress (id, last_id) values (1, 4)',
    `insert into pet_words (word, block, ids) values ('bob', 0, '0010021ab'), ('nobody', 0, '002')`,
  )

  const report = await expectRepair(store, [
    ['words', 'pets 1'],
    ['words', 'pets 4'],
  ])

  assert.match(
    String(messagesOf(report, 'pets 4')),
    /is not found by "ænne", "ω" of its name\. add/,
  )
  assert.deepEqual(await store.rows('select word, ids from pet_words order by word'), [
    'ann|001',
    'bob|0010021ab',
    'nobody|002',
    'ænne|004',
    'ω|004',
  ])
})

it('79 finding: a generated column differs from what this program generates', async (t) => {
  const store = await soldStore(t)
  await store.derive('pets', 'status', "'sold'", 2)
  await store.derive('pets', 'record', "'{}'", 4)
  await store.derive('orders', 'due_at', '7', 2)
  const wrong: Found[] = [
    // One for each of the three columns, on SQLite for each of the two tables.
    ...Array.from({ length: isOnPostgres ? 3 : 2 }, (): Found => ['schema', null]),
    ['derivedColumns', 'pets 2'],
    ['derivedColumns', 'pets 4'],
    ['derivedColumns', 'orders 2'],
  ]

  const report = await expectRepair(store, wrong, wrong)

  assert.deepEqual(messagesOf(report, 'pets 2'), [
    'The status of row 2 of pets is sold, but this program generates available. null',
  ])
})

itInFull(
  '0 stopped: verify beside a service in use has no false findings, and does not disturb it',
  async (t) => {
    const store = await soldStore(t)
    await serving(store.env, async (send) => {
      const selling = sellAtOnce(6, send)
      do {
        const { code, report } = await Promise.race([verify(store), selling.failed])
        assert.deepEqual([code, findingsOf(report.checks)], [0, []])
      } while (Math.min(...selling.rounds) < amount({ quick: 1, full: 5 }))
      await selling.stop()
    })
    assert.equal((await verify(store)).code, 0)
  },
)

itInFull('0 stopped: a repair beside a service in use leaves no findings', async (t) => {
  const store = await soldStore(t)
  await store.damage('update pets set reserved = 6 where id = 1', forgetIds('categories'))
  await serving(store.env, async (send) => {
    const selling = sellAtOnce(4, send)
    const { code, report } = await verify(store, '--repair', '--yes')
    await selling.stop()

    assert.equal(findingsOf(report.found ?? []).length, 2)
    assert.deepEqual([code, findingsOf(report.checks)], [0, []])
  })
  assert.equal((await verify(store)).code, 0)
})
