import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp, type TestApi } from '../../../test/harness/app.ts'

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

async function createPets(api: TestApi, statuses: readonly (string | undefined)[]) {
  for (const status of statuses) await api.createPet(status === undefined ? {} : { status })
}
