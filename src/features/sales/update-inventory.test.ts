import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp, type TestApi } from '../../../test/harness/app.ts'

const count = (api: TestApi, quantity: unknown) =>
  api.send('PATCH', '/v1/inventory/1', { body: { quantity } })
const order = (api: TestApi, quantity: number) =>
  api.post('/v1/store/orders', { petId: 1, quantity })

it('200: sets the stock, from 0 to a million, and it can be read back', async () => {
  const { api } = await startApp()
  await api.createPet({ status: 'available' })

  for (const [quantity, status] of [
    [3, 'available'],
    [0, 'sold'],
    [1_000_000, 'available'],
    [1, 'available'],
  ] as const) {
    const response = await count(api, quantity)
    assert.equal(response.status, 200)
    assert.deepEqual(response.json(), { petId: 1, quantity, status })
    assert.equal((await api.get('/v1/inventory')).text, `[${response.text}]`)
    assert.match((await api.get('/v1/pets/1')).text, new RegExp(`"status":"${status}"`))
  }
})

it('400: an invalid quantity, or one above the maximum; nothing changes', async () => {
  const { api } = await startApp()
  await api.createPet({ status: 'available' })

  for (const wrong of [-1, 1_000_001, 1.5, '3', null, undefined, true, [3], {}, 1e30]) {
    const response = await count(api, wrong)
    expectError(response, 400, 'invalid_body')
    assert.match(
      response.text,
      /quantity (?:must be an integer from 0 to 1000000|must be a number, not a string|is missing)/,
    )
  }
  assert.match((await api.get('/v1/inventory')).text, /"quantity":1,/)
})

it('409: less than open orders hold; exactly as much is accepted, and all of it is reserved', async () => {
  const { api } = await startApp()
  await api.createPet({ status: 'available' })
  await count(api, 10)
  await order(api, 3)
  await order(api, 2)
  await api.send('POST', '/v1/store/orders/1/ship')

  for (const quantity of [0, 4]) {
    const response = await count(api, quantity)
    expectError(response, 409, 'insufficient_stock')
    assert.match(
      response.text,
      /Open orders hold 5 of pet 1 \(orders 1 and 2\), which is more than/,
    )
    assert.match((await api.get('/v1/inventory')).text, /"quantity":10,"status":"available"/)
  }
  const exact = await count(api, 5)
  assert.deepEqual(exact.json(), { petId: 1, quantity: 5, status: 'pending' })
  expectError(await order(api, 1), 409, 'pet_not_available')
  await api.send('POST', '/v1/store/orders/1/deliver')
  await api.send('DELETE', '/v1/store/orders/2')
  assert.deepEqual((await count(api, 0)).json(), { petId: 1, quantity: 0, status: 'sold' })
})

it('200: a due order no longer holds stock, even before any sweep', async () => {
  const { api, clock } = await startApp({ settings: { PETSTORE_ORDER_HOLD_MS: '1000' } })
  await api.createPet({ status: 'available' })
  await order(api, 1)

  clock.ms += 999
  const held = await count(api, 0)
  clock.ms += 1
  const free = await count(api, 0)

  expectError(held, 409, 'insufficient_stock')
  assert.deepEqual(free.json(), { petId: 1, quantity: 0, status: 'sold' })
  assert.match((await api.get('/v1/store/orders/1')).text, /"expired"/)
})

it('200: changing the stock during orders never promises more than there is', async () => {
  const { api } = await startApp()
  await api.createPet({ status: 'available' })
  await count(api, 6)

  const requests = Array.from({ length: 24 }, (_, index) => index)
  const answers = await Promise.all(
    requests.map((index) =>
      index % 4 === 3 ? count(api, index % 8 === 3 ? 4 : 8) : order(api, 1),
    ),
  )

  const ordered = answers.filter(({ status }) => status === 201).length
  const [{ quantity } = assert.fail()] = (await api.get('/v1/inventory')).json() as {
    quantity: number
  }[]
  assert.ok(ordered >= 4 && ordered <= quantity, `${ordered} of ${quantity}`)
  for (const { status } of answers) assert.ok([200, 201, 409].includes(status), String(status))
})
