import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp } from '../../../test/harness/app.ts'
import { insertOrders } from '../../../test/harness/orders.ts'

const idsOf = (answer: { json(): unknown }) =>
  (answer.json() as { id: number }[]).map(({ id }) => id)

it('200: shows every member of an order; absent members are omitted, never null', async () => {
  const { api, context } = await startApp()
  await insertOrders(context, [
    [7, 2, 'pending', 'for Ann'],
    [8, 1, 'delivered', null],
  ])

  const response = await api.get('/v1/store/orders')

  assert.deepEqual(response.json(), [
    {
      id: 1,
      petId: 7,
      quantity: 2,
      status: 'pending',
      complete: false,
      createdAt: '2027-01-01T09:30:00.000Z',
      expiresAt: '2027-01-01T09:30:00.002Z',
      reference: 'for Ann',
    },
    {
      id: 2,
      petId: 8,
      quantity: 1,
      status: 'delivered',
      complete: true,
      createdAt: '2027-01-01T09:30:00.000Z',
      shipDate: '2027-01-01T09:30:00.001Z',
    },
  ])
  assert.doesNotMatch(response.text, /null/)
})

it('200: filters by ids and by reference, alone and with the others, in pages, and counts', async () => {
  const { api, context } = await startApp()
  await insertOrders(context, [
    [1, 1, 'pending', 'Web shop'],
    [1, 1, 'delivered', 'Web shop'],
    [2, 1, 'pending', 'Web shop'],
    [2, 1, 'pending', null],
    [1, 1, 'pending', 'web shop'],
    [1, 1, 'pending', 'Web shop 2'],
  ])
  const shop = 'reference=Web+shop'

  for (const [query, ids] of [
    ['id=4&id=1&id=99&id=4', [1, 4]],
    ['id=99', []],
    [shop, [1, 2, 3]],
    [`${shop}&sort=-id`, [3, 2, 1]],
    [`${shop}&limit=2`, [1, 2]],
    [`${shop}&after=1`, [2, 3]],
    [`${shop}&petId=1`, [1, 2]],
    [`${shop}&status=pending`, [1, 3]],
    [`${shop}&petId=1&status=delivered`, [2]],
    [`${shop}&petId=2&status=delivered`, []],
    [`${shop}&id=2&id=4&status=delivered`, [2]],
    ['reference=WEB%20SHOP', []],
    ['reference=Web%20shop%202', [6]],
    ['reference=Web%25', []],
  ] as const) {
    assert.deepEqual(idsOf(await api.get(`/v1/store/orders?${query}`)), ids, query)
  }
  const first = await api.get(`/v1/store/orders?${shop}&limit=1`, {
    headers: { prefer: 'count=exact' },
  })
  const next = /^<http:\/\/petstore\.test(\S+)>; rel="next"$/.exec(first.headers.link ?? '')?.[1]
  assert.equal(first.headers['x-total-count'], '3')
  assert.deepEqual(idsOf(await api.get(next ?? '')), [2])
})

it('200: a reference is found whatever it contains, and no other with it', async () => {
  const { api } = await startApp()
  await api.createPet({ status: 'available' })
  await api.send('PATCH', '/v1/inventory/1', { body: { quantity: 100 } })
  const references = [
    'a',
    'a status=pending',
    'a" status="pending',
    ' a ',
    'a+b',
    'a b',
    'a%',
    'a_',
    'Ä',
    'A\u0308',
    "'a'",
    '\\',
    '😀',
    '\ufffd',
    'x'.repeat(200),
    'x'.repeat(199),
  ]
  for (const reference of references) await api.post('/v1/store/orders', { petId: 1, reference })

  // At once, so that equal reads would share one run.
  const pages = await Promise.all(
    references.flatMap((reference) => [
      api.get(`/v1/store/orders?${new URLSearchParams({ reference })}`),
      api.get(`/v1/store/orders?${new URLSearchParams({ reference, status: 'shipped' })}`),
      api.get(`/v1/store/orders?${new URLSearchParams({ reference, status: 'pending' })}`),
    ]),
  )

  assert.deepEqual(
    pages.map(idsOf),
    references.flatMap((_, index) => [[index + 1], [], [index + 1]]),
  )
})

it('200: filters by when orders were placed: from an instant on, and before another; with others, in pages, and counts', async () => {
  const { api, clock } = await startApp()
  await api.createPet({ status: 'available' })
  await api.send('PATCH', '/v1/inventory/1', { body: { quantity: 100 } })
  const instants: string[] = []
  for (const reference of ['a', 'b', 'a', 'b']) {
    clock.ms += 60_000
    const placed = await api.post('/v1/store/orders', { petId: 1, reference })
    instants.push((placed.json() as { createdAt: string }).createdAt)
  }
  const [, second = '', third = '', fourth = ''] = instants

  for (const [query, ids] of [
    [`createdAfter=${second}`, [2, 3, 4]],
    [`createdBefore=${third}`, [1, 2]],
    [`createdAfter=${second}&createdBefore=${fourth}`, [2, 3]],
    [`createdAfter=${second}&createdBefore=${fourth}&sort=-id`, [3, 2]],
    [`createdAfter=${second}&createdBefore=${second}`, []],
    [`createdAfter=${second}&after=2`, [3, 4]],
    [`createdAfter=${second}&reference=b`, [2, 4]],
    [`createdAfter=${second}&petId=1&status=pending&id=1&id=3`, [3]],
    [`createdAfter=${second}&status=shipped`, []],
    [`createdBefore=${third.replace('Z', '%2B01:00')}`, []],
  ] as const) {
    assert.deepEqual(idsOf(await api.get(`/v1/store/orders?${query}`)), ids, query)
  }
  const first = await api.get(`/v1/store/orders?createdAfter=${second}&limit=1`, {
    headers: { prefer: 'count=exact' },
  })
  assert.equal(first.headers['x-total-count'], '3')
  const csv = await api.get(`/v1/store/orders/export?createdAfter=${third}`)
  assert.deepEqual(csv.text.match(/^\d+/gm), ['3', '4'])
})

it('400: refuses invalid parameters', async () => {
  const { api } = await startApp()

  for (const query of [
    'status=sold',
    'status=pending&status=pending',
    'petId=x',
    'limit=101',
    'id=',
    'id=01',
    'reference=',
    'reference=%20',
    'reference=a%0Ab',
    'reference=a&reference=a',
    `reference=${'x'.repeat(201)}`,
    'createdAfter=yesterday',
    'createdBefore=2026-02-30T00:00:00Z',
    'createdAfter=1',
    Array.from({ length: 101 }, (_, index) => `id=${index}`).join('&'),
  ]) {
    expectError(await api.get(`/v1/store/orders?${query}`), 400, 'invalid_parameter')
  }
  for (const query of ['categoryId=x', `reference=${encodeURIComponent('😀'.repeat(200))}`]) {
    assert.equal((await api.get(`/v1/store/orders?${query}`)).status, 200)
  }
})
