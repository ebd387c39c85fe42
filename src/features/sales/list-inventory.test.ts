import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { expectError, startApp, type TestApi } from '../../../test/harness/app.ts'
import { amount } from '../../../test/harness/extent.ts'

type Item = { petId: number; quantity: number; status: string }
type ListAnswer = { headers: Record<string, string>; json(): unknown }

const itemsOf = (answer: ListAnswer) => answer.json() as Item[]
const idsOf = (answer: ListAnswer) => itemsOf(answer).map(({ petId }) => petId)

it('200: the stock of each pet that has a status, and of no other', async () => {
  const { api } = await startApp()
  for (const status of ['available', undefined, 'pending', 'sold']) {
    await api.createPet(status === undefined ? {} : { status })
  }

  const response = await api.get('/v1/inventory')

  assert.deepEqual(response.json(), [
    { petId: 1, quantity: 1, status: 'available' },
    { petId: 3, quantity: 1, status: 'pending' },
    { petId: 4, quantity: 0, status: 'sold' },
  ])
  assert.equal((await api.get('/v1/inventory?petId=2')).text, '[]')
  for (const name of ['link', 'etag', 'x-total-count']) {
    assert.equal(response.headers[name], undefined)
  }
})

it('200: ordered stock counts until it is delivered; the status says whether some is free', async () => {
  const { api } = await startApp()
  await api.createPet({ status: 'available' })
  await api.send('PATCH', '/v1/inventory/1', { body: { quantity: 3 } })
  const seen: string[] = []
  const look = async () => {
    const [{ quantity, status } = assert.fail()] = itemsOf(await api.get('/v1/inventory'))
    seen.push(`${quantity} ${status}`)
  }

  await look()
  for (const [method, url, body] of [
    ['POST', '/v1/store/orders', { petId: 1, quantity: 2 }],
    ['POST', '/v1/store/orders', { petId: 1 }],
    ['POST', '/v1/store/orders/1/ship', undefined],
    ['POST', '/v1/store/orders/1/deliver', undefined],
    ['DELETE', '/v1/store/orders/2', undefined],
    ['POST', '/v1/store/orders', { petId: 1 }],
    ['POST', '/v1/store/orders/3/ship', undefined],
    ['POST', '/v1/store/orders/3/deliver', undefined],
  ] as const) {
    const { status, text } = await api.send(method, url, { body })
    assert.ok(status < 300, text)
    await look()
  }

  assert.deepEqual(seen, [
    '3 available',
    '3 available',
    '3 pending',
    '3 pending',
    '1 pending',
    '1 available',
    '1 pending',
    '1 pending',
    '0 sold',
  ])
})

it('200: filters by the status that clients read, and by pet; counts the matches', async () => {
  const { api } = await startApp()
  await createPets(api, ['available', 'available', 'pending', 'sold', undefined, 'available'])
  await api.post('/v1/store/orders', { petId: 1 })
  await api.send('PATCH', '/v1/inventory/2', { body: { quantity: 0 } })

  for (const [query, ids] of [
    ['status=available', [6]],
    ['status=pending', [1, 3]],
    ['status=sold', [2, 4]],
    ['status=sold&sort=-id', [4, 2]],
    ['petId=5&petId=3&petId=1&petId=99', [1, 3]],
    ['petId=5&petId=3&petId=1&status=available', []],
    ['', [1, 2, 3, 4, 6]],
  ] as const) {
    const response = await api.get(`/v1/inventory?${query}`, { headers: { prefer: 'count=exact' } })
    assert.deepEqual(idsOf(response), ids, query)
    assert.equal(response.headers['x-total-count'], String(ids.length), query)
  }
})

it('400: refuses invalid parameters', async () => {
  const { api } = await startApp()

  for (const query of [
    ...['status=lost', 'status=', 'status=sold&status=sold', 'petId=x', 'petId=01', 'petId='],
    Array.from({ length: 101 }, (_, index) => `petId=${index}`).join('&'),
  ]) {
    expectError(await api.get(`/v1/inventory?${query}`), 400, 'invalid_parameter')
  }
})

it('property: paging meets every pet that has a status, each once, whatever pets lie between', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(undefined, undefined, 'available', 'pending', 'sold'), {
        maxLength: 40,
      }),
      fc.constantFrom(undefined, 'available', 'sold'),
      fc.integer({ min: 1, max: 6 }),
      fc.constantFrom('id', '-id'),
      async (statuses, status, limit, sort) => {
        const { api, close } = await startApp()
        await createPets(api, statuses)
        const expected = statuses.flatMap((one, index) =>
          one !== undefined && (status === undefined || one === status) ? [index + 1] : [],
        )

        const ids: number[] = []
        const filter = status === undefined ? '' : `&status=${status}`
        const first = `/v1/inventory?limit=${limit}&sort=${sort}${filter}`
        for (let url: string | undefined = first; url !== undefined; ) {
          const page: ListAnswer = await api.get(url)
          ids.push(...idsOf(page))
          assert.ok(ids.length <= expected.length, 'The walk meets more than there is.')
          url = /^<http:\/\/petstore\.test(\S+)>; rel="next"$/.exec(page.headers.link ?? '')?.[1]
        }

        assert.deepEqual(ids, sort === 'id' ? expected : expected.reverse())
        await close()
      },
    ),
    { numRuns: amount({ quick: 4, full: 40 }) },
  )
})

async function createPets(api: TestApi, statuses: readonly (string | undefined)[]) {
  for (const status of statuses) await api.createPet(status === undefined ? {} : { status })
}
