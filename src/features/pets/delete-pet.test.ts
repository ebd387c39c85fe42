import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp, type TestApi } from '../../../test/harness/app.ts'

const remove = (api: TestApi, id: number) => api.send('DELETE', `/v1/pets/${id}`)
const idsOf = (answer: { json(): unknown }) =>
  (answer.json() as { id: number }[]).map(({ id }) => id)

it('204: the pet is gone from every read; other pets remain', async () => {
  const { api } = await startApp()
  for (const name of ['First', 'Second', 'Third']) await api.createPet({ name, status: 'sold' })

  const response = await remove(api, 2)

  assert.equal(response.status, 204)
  assert.equal(response.text, '')
  assert.equal(response.headers.etag, undefined)
  assert.equal(response.headers['content-type'], undefined)
  expectError(await api.get('/v1/pets/2'), 404, 'not_found')
  for (const query of ['', '?status=sold', '?categoryId=7', '?id=1&id=2&id=3']) {
    assert.deepEqual(idsOf(await api.get(`/v1/pets${query}`)), [1, 3], query)
  }
  assert.deepEqual(idsOf(await api.get('/v1/pets?name=second')), [])
  assert.doesNotMatch((await api.get('/v1/inventory')).text, /"petId":2/)
})

it('204: an id is never reused, not even the last one', async () => {
  const { api } = await startApp()
  await api.createPet()
  await api.createPet()

  await remove(api, 2)
  const third = await api.createPet()
  await remove(api, third.id)
  await remove(api, 1)
  const fourth = await api.createPet()

  assert.deepEqual([third.id, fourth.id], [3, 4])
  assert.deepEqual(idsOf(await api.get('/v1/pets')), [4])
})

it('409: an open order holds the pet; once it is finished, 204, and the order remains', async () => {
  const { api } = await startApp()
  await api.createPet({ status: 'available' })
  await api.createPet({ status: 'available' })
  await api.post('/v1/store/orders', { petId: 1 })
  await api.post('/v1/store/orders', { petId: 2 })

  const pending = await remove(api, 1)
  await api.send('POST', '/v1/store/orders/2/ship')
  const shipped = await remove(api, 2)
  const { text: before } = await api.get('/v1/pets')
  await api.send('DELETE', '/v1/store/orders/1')
  await api.send('POST', '/v1/store/orders/2/deliver')
  const cancelled = await remove(api, 1)
  const delivered = await remove(api, 2)

  for (const refused of [pending, shipped]) {
    expectError(refused, 409, 'pet_in_open_order')
    assert.match(refused.text, /Open orders hold 1 of pet/)
  }
  assert.match(before, /"id":1,.*"id":2,/)
  assert.deepEqual([cancelled.status, delivered.status], [204, 204])
  assert.match((await api.get('/v1/store/orders/1')).text, /"petId":1,.*"cancelled"/)
  assert.match((await api.get('/v1/store/orders/2')).text, /"petId":2,.*"delivered"/)
})

it('204: a due order no longer holds the pet', async () => {
  const { api, clock } = await startApp({ settings: { PETSTORE_ORDER_HOLD_MS: '1000' } })
  await api.createPet({ status: 'available' })
  await api.post('/v1/store/orders', { petId: 1 })

  clock.ms += 999
  const held = await remove(api, 1)
  clock.ms += 1
  const free = await remove(api, 1)

  expectError(held, 409, 'pet_in_open_order')
  assert.equal(free.status, 204)
  assert.match((await api.get('/v1/store/orders/1')).text, /"expired"/)
})

it('204 once, else 404: concurrent deletes of one pet', async () => {
  const { api } = await startApp()
  await api.createPet()

  const answers = await Promise.all(Array.from({ length: 12 }, () => remove(api, 1)))

  assert.equal(answers.filter(({ status }) => status === 204).length, 1)
  assert.equal(answers.filter(({ status }) => status === 404).length, 11)
})

it('204 or 201: a concurrent delete and order of one pet, never both', async () => {
  const { api } = await startApp()
  const count = 20
  for (let made = 0; made < count; made++) await api.createPet({ status: 'available' })

  const outcomes = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const petId = index + 1
      const deletion = () => remove(api, petId)
      const order = () => api.post('/v1/store/orders', { petId })
      // In both orders of arrival.
      const isDeletedFirst = index % 2 === 0
      const both = await Promise.all(isDeletedFirst ? [deletion(), order()] : [order(), deletion()])
      return (isDeletedFirst ? both : both.reverse()).map(({ status }) => status)
    }),
  )

  for (const outcome of outcomes) {
    assert.ok(['204 404', '409 201'].includes(outcome.join(' ')), outcome.join(' '))
  }
  const left = idsOf(await api.get('/v1/pets'))
  const ordered = (await api.get('/v1/store/orders')).json() as { petId: number }[]
  assert.deepEqual(
    ordered.map(({ petId }) => petId).sort((a, b) => a - b),
    left,
  )
})
