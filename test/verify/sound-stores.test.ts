import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sellAtOnce } from '../consistency/orders/sell-at-once.ts'
import { isOnPostgres } from '../harness/engine.ts'
import { amount, itInFull } from '../harness/extent.ts'
import { serving } from '../harness/sell-in-store.ts'
import { soldStore } from '../harness/sold-store.ts'
import { findingsOf, verify } from '../harness/verify.ts'
import { petstoreInThread } from '../processes/command-thread.ts'

/** A statement that makes the next id of a table 2. */
function forgetIds(table: string): string {
  if (isOnPostgres) return `select setval('${table}_id_seq', 1)`
  return table === 'pets'
    ? `delete from sqlite_sequence where name = 'pets'`
    : `update sqlite_sequence set seq = 1 where name = '${table}'`
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
    'files schema words details detailsPets tags photos photoPets photoFiles stock openOrders orders webhooks events environment keys ids nameKeys derivedColumns texts',
  )
  assert.deepEqual(findingsOf(report.checks), [])
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

  const { code, report } = await verify(store, '--repair', '--yes')

  assert.deepEqual([code, findingsOf(report.checks)], [0, []])
  assert.deepEqual(findingsOf(report.found ?? []), [
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
