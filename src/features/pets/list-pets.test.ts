import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp, type TestApi } from '../../../test/harness/app.ts'

async function createPets(api: TestApi, count: number, newPet: Record<string, unknown> = {}) {
  for (let made = 0; made < count; made++) await api.createPet(newPet)
}

const idsOf = (answer: { json(): unknown }) =>
  (answer.json() as { id: number }[]).map(({ id }) => id)

it('200: a bare array, empty at first, without Link, X-Total-Count or ETag', async () => {
  const { api } = await startApp()

  const response = await api.get('/v1/pets')

  assert.equal(response.status, 200)
  assert.equal(response.text, '[]')
  assert.equal(response.headers['content-type'], 'application/json; charset=utf-8')
  assert.equal(response.headers['cache-control'], 'no-store')
  for (const name of ['link', 'x-total-count', 'preference-applied', 'etag', 'deprecation']) {
    assert.equal(response.headers[name], undefined, name)
  }
})

it('200: filters by status, by category, and by both', async () => {
  const { api } = await startApp()
  await api.createPet({ categoryId: 1, status: 'available' })
  await api.createPet({ categoryId: 2, status: 'available' })
  await api.createPet({ categoryId: 1, status: 'sold' })
  await api.createPet({ categoryId: 1 })

  assert.deepEqual(idsOf(await api.get('/v1/pets?status=available')), [1, 2])
  assert.deepEqual(idsOf(await api.get('/v1/pets?categoryId=1')), [1, 3, 4])
  assert.deepEqual(idsOf(await api.get('/v1/pets?categoryId=1&status=sold')), [3])
  assert.deepEqual(idsOf(await api.get('/v1/pets?status=pending')), [])
  assert.deepEqual(idsOf(await api.get('/v1/pets?categoryId=-1')), [])
})

it('200: returns the pets with the given ids, each once, in the order of ids', async () => {
  const { api } = await startApp()
  await createPets(api, 5)

  assert.deepEqual(idsOf(await api.get('/v1/pets?id=4&id=2&id=99&id=4&id=-1')), [2, 4])
  assert.deepEqual(idsOf(await api.get('/v1/pets?id=4&id=2&sort=-id')), [4, 2])
  assert.deepEqual(idsOf(await api.get('/v1/pets?id=4&id=2&status=sold')), [])
})
