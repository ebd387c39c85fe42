import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp, type TestApi } from '../../../test/harness/app.ts'
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

it('200: an order as it was placed; absent members are omitted, never null', async () => {
  const { api, placed } = await startWithOrder()

  const response = await api.get('/v1/store/orders/1')

  assert.equal(response.status, 200)
  assert.equal(response.text, placed.text)
  assert.doesNotMatch(response.text, /null|shipDate|expiresAt|reference/)
  for (const name of ['etag', 'location', 'deprecation', 'link']) {
    assert.equal(response.headers[name], undefined, name)
  }
  assert.equal(response.headers['cache-control'], 'no-store')
})

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

it('200: an order remains after it is cancelled and after its pet is deleted', async () => {
  const { api } = await startWithOrder()

  await api.send('DELETE', '/v1/store/orders/1')
  const cancelled = await api.get('/v1/store/orders/1')
  const deletion = await api.send('DELETE', '/v1/pets/1')
  const orphaned = await api.get('/v1/store/orders/1')

  assert.match(cancelled.text, /"petId":1,"quantity":1,"status":"cancelled","complete":false,/)
  assert.equal(deletion.status, 204)
  assert.equal(orphaned.text, cancelled.text)
  assert.equal((await api.get('/v1/store/orders?petId=1')).text, `[${cancelled.text}]`)
})

it('404: no order has the id, or it is not a valid id', async () => {
  const { api } = await startWithOrder()

  for (const id of ['2', '0', '9223372036854775807']) {
    const response = await api.get(`/v1/store/orders/${id}`)
    expectError(response, 404, 'not_found')
    assert.match(response.text, new RegExp(`no order with the id ${id}\\b`))
  }
  for (const id of ['01', '-1', '1.0', 'x', '%31', '9223372036854775808', '1%20']) {
    const response = await api.get(`/v1/store/orders/${id}`)
    // The same id, written in another way.
    if (id === '%31') assert.equal(response.status, 200)
    else expectError(response, 404, 'not_found')
  }
})

it('200: dates are right in whatever year the clock starts, and verify finds no fault with them', async () => {
  for (const now of [
    '0000-01-01T00:00:00.000Z',
    '1969-12-31T00:00:00.000Z',
    '9999-12-31T23:59:59.000Z',
  ]) {
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
