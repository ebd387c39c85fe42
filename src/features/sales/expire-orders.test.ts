import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp, type TestApi } from '../../../test/harness/app.ts'
import { amount } from '../../../test/harness/extent.ts'
import { runJobs } from '../../app/jobs.ts'

const holdMs = 60_000

/** A store with an order hold time, and one pet with a stock of one. */
async function startWithHolds() {
  const app = await startApp({ settings: { PETSTORE_ORDER_HOLD_MS: String(holdMs) } })
  await app.api.createPet({ status: 'available' })
  return app
}

const order = (api: TestApi, more: Record<string, unknown> = {}) =>
  api.post('/v1/store/orders', { petId: 1, ...more })
const read = async (api: TestApi, url: string) => (await api.get(url)).text
const ship = (api: TestApi, id = 1) => api.send('POST', `/v1/store/orders/${id}/ship`)

it('201: without PETSTORE_ORDER_HOLD_MS an order never expires', async () => {
  const { api, clock, context } = await startApp()
  await api.createPet({ status: 'available' })

  const placed = await order(api)
  clock.ms += 100 * 365 * 24 * 60 * 60 * 1000
  await runJobs(context)

  assert.doesNotMatch(placed.text, /expiresAt/)
  assert.equal(await read(api, '/v1/store/orders/1'), placed.text)
  expectError(await order(api), 409, 'pet_not_available')
})

it('201: an order shows when its hold ends, and keeps that date through all its moves', async () => {
  const { api, clock } = await startWithHolds()
  await api.send('PATCH', '/v1/inventory/1', { body: { quantity: 2 } })

  const placed = await order(api)
  clock.ms += 1
  const shipped = await ship(api)
  const later = await order(api)

  const expiresAt = '2027-01-01T00:01:00.000Z'
  assert.equal((placed.json() as { expiresAt: string }).expiresAt, expiresAt)
  assert.equal((shipped.json() as { expiresAt: string }).expiresAt, expiresAt)
  assert.match(later.text, /"expiresAt":"2027-01-01T00:01:00\.001Z"/)
})

it('200: a sweep expires an order from its due time on, not before', async () => {
  const { api, clock, context } = await startWithHolds()
  const placed = await order(api, { reference: 'for Ann' })

  clock.ms += holdMs - 1
  await runJobs(context)
  const held = await read(api, '/v1/store/orders/1')
  const heldStock = await read(api, '/v1/inventory')
  clock.ms += 1
  await runJobs(context)

  assert.equal(held, placed.text)
  assert.equal(heldStock, '[{"petId":1,"quantity":1,"status":"pending"}]')
  const expected = placed.text.replace('"pending"', '"expired"')
  assert.equal(await read(api, '/v1/store/orders/1'), expected)
  assert.equal(await read(api, '/v1/store/orders?status=expired'), `[${expected}]`)
  assert.equal(await read(api, '/v1/store/orders?status=pending'), '[]')
  assert.equal(await read(api, '/v1/inventory'), '[{"petId":1,"quantity":1,"status":"available"}]')
})

it('200: the stock of an expired order is given back once, however often the sweep runs', async () => {
  const { api, clock, context } = await startWithHolds()
  await api.send('PATCH', '/v1/inventory/1', { body: { quantity: 5 } })
  await order(api, { quantity: 2 })
  clock.ms += holdMs
  await order(api, { quantity: 1 })

  for (let times = 0; times < 3; times++) await runJobs(context)

  expectError(await order(api, { quantity: 5 }), 409, 'insufficient_stock')
  assert.equal((await order(api, { quantity: 4 })).status, 201)
  assert.equal(await read(api, '/v1/inventory'), '[{"petId":1,"quantity":5,"status":"pending"}]')
})

it('200: only pending orders expire; shipped, delivered and cancelled ones do not', async () => {
  const { api, clock, context } = await startWithHolds()
  await api.send('PATCH', '/v1/inventory/1', { body: { quantity: 4 } })
  for (let id = 1; id <= 4; id++) await order(api)
  await ship(api, 1)
  await ship(api, 2)
  await api.send('POST', '/v1/store/orders/2/deliver')
  await api.send('DELETE', '/v1/store/orders/3')

  clock.ms += 10 * holdMs
  await runJobs(context)

  const orders = JSON.parse(await read(api, '/v1/store/orders')) as { status: string }[]
  const statuses = orders.map(({ status }) => status)
  assert.deepEqual(statuses, ['shipped', 'delivered', 'cancelled', 'expired'])
  assert.equal(await read(api, '/v1/inventory'), '[{"petId":1,"quantity":3,"status":"available"}]')
  assert.equal((await api.send('POST', '/v1/store/orders/1/deliver')).status, 200)
})

it('201: a pet whose hold is due can be ordered before any sweep', async () => {
  const { api, clock } = await startWithHolds()
  await order(api)

  clock.ms += holdMs - 1
  const early = await order(api)
  clock.ms += 1
  const placed = await order(api)

  expectError(early, 409, 'pet_not_available')
  assert.equal(placed.status, 201)
  const orders = JSON.parse(await read(api, '/v1/store/orders')) as { status: string }[]
  assert.deepEqual(
    orders.map(({ status }) => status),
    ['expired', 'pending'],
  )
  assert.equal(await read(api, '/v1/inventory'), '[{"petId":1,"quantity":1,"status":"pending"}]')
})

it('409: a due order can be neither shipped nor cancelled, even before any sweep', async () => {
  for (const [method, path, code] of [
    ['POST', '/ship', 'invalid_transition'],
    ['DELETE', '', 'order_not_cancellable'],
  ] as const) {
    const { api, clock } = await startWithHolds()
    await order(api)
    clock.ms += holdMs

    const response = await api.send(method, `/v1/store/orders/1${path}`)

    expectError(response, 409, code)
    assert.equal((await order(api)).status, 201)
  }
})

it('201 once, else 409: many clients order a pet whose hold is due while a sweep runs', async () => {
  const { api, clock, context } = await startWithHolds()
  await order(api)
  clock.ms += holdMs

  const [answers] = await Promise.all([
    Promise.all([ship(api), ...Array.from({ length: 12 }, () => order(api))]),
    runJobs(context),
  ])

  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  assert.equal(answers.filter(({ status }) => status === 409).length, 12)
})

it('200: one sweep expires all due orders of many pets, and leaves the others', async () => {
  const { api, clock, context } = await startWithHolds()
  const pets = amount({ quick: 3, full: 600 })
  const ordersOfEach = 2
  const numbers = Array.from({ length: pets }, (_, index) => index + 2)
  await inGroups(numbers, () => api.post('/v1/pets', aPetForSale))
  await inGroups(numbers, (id) =>
    api.send('PATCH', `/v1/inventory/${id}`, { body: { quantity: 3 } }),
  )
  for (let times = 0; times < ordersOfEach; times++) {
    await inGroups(numbers, (petId) => order(api, { petId }))
  }
  clock.ms += holdMs - 1
  await order(api, { petId: 2 })
  const count = async (status: string) => {
    const headers = { prefer: 'count=exact' }
    const answer = await api.get(`/v1/store/orders?limit=1&status=${status}`, { headers })
    return Number(answer.headers['x-total-count'])
  }
  const before = await count('pending')

  clock.ms += 1
  await runJobs(context)

  assert.equal(before, ordersOfEach * pets + 1)
  assert.deepEqual([await count('expired'), await count('pending')], [ordersOfEach * pets, 1])
  for (const [petId, free] of [
    [2, 2],
    [3, 3],
    [pets + 1, 3],
  ]) {
    expectError(await order(api, { petId, quantity: 4 }), 409, 'insufficient_stock')
    assert.equal((await order(api, { petId, quantity: free })).status, 201)
    expectError(await order(api, { petId }), 409, 'pet_not_available')
  }
})

const aPetForSale = { name: 'Rex', categoryId: 7, status: 'available' }
const groupSize = 50

async function inGroups(
  numbers: readonly number[],
  send: (number: number) => Promise<{ status: number; text: string }>,
): Promise<void> {
  for (let start = 0; start < numbers.length; start += groupSize) {
    const answers = await Promise.all(numbers.slice(start, start + groupSize).map(send))
    for (const { status, text } of answers) assert.ok(status < 300, text)
  }
}

it('201: a hold ends on time even when the system clock is set back', async () => {
  const { api, clock, context, logLines } = await startWithHolds()
  clock.monotonicMs = 5_000
  await order(api)

  clock.ms -= 3_600_000
  clock.monotonicMs += holdMs - 1
  await runJobs(context)
  assert.match(await read(api, '/v1/store/orders/1'), /"status":"pending"/)
  clock.monotonicMs += 1
  await runJobs(context)

  assert.match(await read(api, '/v1/store/orders/1'), /"status":"expired"/)
  const told = logLines.filter((line) => line.includes('The system clock was set back.'))
  assert.equal(told.length, 1)
})
