import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp, type TestApi } from '../../../test/harness/app.ts'
import { readLists } from '../../../test/harness/mirror.ts'

const order = (api: TestApi, body: unknown) => api.post('/v1/store/orders', body)
const setQuantity = (api: TestApi, petId: number, quantity: number) =>
  api.send('PATCH', `/v1/inventory/${petId}`, { body: { quantity } })

it('201: places an order and returns it with its Location; it can be read back', async () => {
  const { api } = await startApp({ now: '2027-01-01T09:30:00.123Z' })
  await api.createPet({ status: 'available' })

  const response = await order(api, { petId: 1 })

  assert.equal(response.status, 201)
  assert.equal(
    response.text,
    '{"id":1,"petId":1,"quantity":1,"status":"pending","complete":false,"createdAt":"2027-01-01T09:30:00.123Z"}',
  )
  assert.equal(response.headers.location, 'http://petstore.test/v1/store/orders/1')
  assert.equal(response.headers['cache-control'], 'no-store')
  for (const name of ['etag', 'deprecation', 'idempotency-replayed']) {
    assert.equal(response.headers[name], undefined, name)
  }
  assert.equal((await api.get('/v1/store/orders/1')).text, response.text)
  assert.equal((await api.get('/v1/store/orders')).text, `[${response.text}]`)
})

it('201: quantity and reference are stored as sent; unknown members are ignored', async () => {
  const { api } = await startApp()
  await api.createPet({ status: 'available' })
  await setQuantity(api, 1, 5)

  const sent = { petId: 1, quantity: 3, reference: ' for Ann 🐕 ', id: 9, status: 'delivered' }
  const response = await order(api, { ...sent, complete: true, expiresAt: '2030-01-01T00:00:00Z' })

  assert.deepEqual(response.json(), {
    id: 1,
    petId: 1,
    quantity: 3,
    status: 'pending',
    complete: false,
    createdAt: '2027-01-01T00:00:00.000Z',
    reference: ' for Ann 🐕 ',
  })
})

it('400: an invalid quantity, reference or pet id; nothing is reserved', async () => {
  const { api } = await startApp()
  await api.createPet({ status: 'available' })
  await setQuantity(api, 1, 1_000_000)
  const before = await readLists(api)

  for (const wrong of [
    ...[0, -1, 1.5, 1_000_001, '1', null, true, [1], {}, 1e30].map((quantity) => ({ quantity })),
    ...['', ' ', 'a\nb', 'a\u0000', 'a\u0085b', '\ud800', 'x'.repeat(201), '🐕'.repeat(201)].map(
      (reference) => ({ reference }),
    ),
    ...[7, null, ['x']].map((reference) => ({ reference })),
    ...['1', null, undefined, 1.5, 1e19, [1]].map((petId) => ({ petId })),
  ]) {
    const response = await order(api, { petId: 1, ...wrong })
    expectError(response, 400, 'invalid_body')
    const [name = ''] = Object.keys(wrong)
    assert.match(
      response.text,
      new RegExp(`"message":"${name} (?:must be|is missing)`),
      JSON.stringify(wrong),
    )
  }
  const all = await order(api, { quantity: 0, reference: '' })
  assert.match(all.text, /petId is missing.*quantity must be .*reference must be /)
  assert.deepEqual(await readLists(api), before)
})

it('404: a pet that does not exist or was deleted; nothing changes', async () => {
  const { api } = await startApp()
  await api.createPet({ status: 'available' })
  await api.createPet({ status: 'available' })
  await api.send('DELETE', '/v1/pets/2')
  const before = await readLists(api)

  for (const petId of [2, 3, 0, -1]) {
    const response = await order(api, { petId })
    expectError(response, 404, 'not_found')
    assert.match(response.text, new RegExp(`no pet with the id ${petId}\\b`))
    assert.equal(response.headers.location, undefined)
  }
  assert.deepEqual(await readLists(api), before)
})

for (const status of [undefined, 'pending', 'sold']) {
  it(`409: a pet that is ${status ?? 'without a status'} is not for sale, however many are in stock`, async () => {
    const { api } = await startApp()
    await api.createPet(status === undefined ? {} : { status })
    if (status !== undefined) assert.equal((await setQuantity(api, 1, 9)).status, 200)
    const before = await readLists(api)

    // Refused by its status, whether the quantity is in stock or not.
    for (const quantity of [1, 10]) {
      const response = await order(api, { petId: 1, quantity })
      expectError(response, 409, 'pet_not_available')
      assert.match(
        response.text,
        new RegExp(`Pet 1 is ${status ?? 'not for sale: it has no status'}\\.`),
      )
    }
    assert.deepEqual(await readLists(api), before)
  })
}

it('201 once, else 409: many clients order the last pet at the same time', async () => {
  const { api } = await startApp()
  await api.createPet({ status: 'available' })

  const answers = await Promise.all(Array.from({ length: 40 }, () => order(api, { petId: 1 })))

  const placed = answers.filter(({ status }) => status === 201)
  assert.equal(placed.length, 1)
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expectError(answer, 409, 'pet_not_available')
  }
  assert.equal((await api.get('/v1/store/orders')).text, `[${placed[0]?.text}]`)
  assert.match((await api.get('/v1/pets/1')).text, /"status":"pending"/)
})
