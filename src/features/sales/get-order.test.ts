import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp, type TestApi } from '../../../test/harness/app.ts'
import { cases } from '../../../test/harness/extent.ts'
import { verifyStore } from '../../admin/verify/verify-store.ts'
import { storage } from '../../app/storage.ts'

async function startWithOrder(body: Record<string, unknown> = {}) {
  const app = await startApp()
  await app.api.createPet({ status: 'available' })
  const placed = await app.api.post('/v1/store/orders', { petId: 1, ...body })
  assert.equal(placed.status, 201)
  return { ...app, placed }
}

const move = (api: TestApi, verb: 'ship' | 'deliver') =>
  api.send('POST', `/v1/store/orders/1/${verb}`)

it('200: an order has its ship date once it is shipped, and is complete once it is delivered', async () => {
  const { api, clock, placed } = await startWithOrder({ reference: 'for Ann' })
  const asPlaced = placed.json() as Record<string, unknown>

  clock.ms += 1_500
  await move(api, 'ship')
  const shipped = await api.get('/v1/store/orders/1')
  clock.ms += 1_500
  await move(api, 'deliver')
  const delivered = await api.get('/v1/store/orders/1')

  const shipDate = '2027-01-01T00:00:01.500Z'
  assert.deepEqual(shipped.json(), { ...asPlaced, status: 'shipped', shipDate })
  assert.deepEqual(delivered.json(), {
    ...asPlaced,
    status: 'delivered',
    complete: true,
    shipDate,
  })
})

it('200: dates are right in whatever year the clock starts, and verify finds no fault with them', async () => {
  const years = ['0000-01-01T00:00:00.000Z', '1969-12-31T00:00:00.000Z', '9999-12-31T23:59:59.000Z']
  for (const now of cases(years, { quickEvery: 2 })) {
    const { api, context } = await startApp({ now })
    await api.createPet({ status: 'available' })

    const placed = await api.post('/v1/store/orders', { petId: 1 })
    await move(api, 'ship')
    const shipped = await api.get('/v1/store/orders/1')

    assert.equal(placed.status, 201)
    assert.match(shipped.text, new RegExp(`"createdAt":"${now}","shipDate":"${now}"`))
    for await (const { findings } of verifyStore(context, storage.checks))
      assert.deepEqual(findings, [])
  }
})
