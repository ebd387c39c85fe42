import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp } from '../../../../test/harness/app.ts'
import { addDelivery } from '../../../../test/harness/deliveries.ts'
import { pruneEvents } from '../../events/pruning/prune-events.ts'
import { authorityOf } from '../authority.ts'
import { fanOutEvents } from '../deliver/fan-out-events.ts'

const url = '/v1/webhooks/1/deliveries'
const attempt = {
  attemptedAt: '2027-01-01T00:00:00.000Z',
  durationMs: 12,
  responseStatus: 500,
  responseBody: 'Sorry',
}

/** Two webhooks; of the first, the event 3 was received, 5 was not, and 7 is tried again. */
async function startWithDeliveries() {
  const app = await startApp()
  for (const name of ['a', 'b'])
    await app.api.post('/v1/webhooks', { url: `https://${name}.example/` })
  const add = (eventId: bigint, status: 'succeeded' | 'failed' | 'pending') =>
    addDelivery(app.context, { webhookId: 1n, eventId, status, attempts: [attempt] })
  await add(3n, 'succeeded')
  await add(5n, 'failed')
  await add(7n, 'pending')
  await addDelivery(app.context, { webhookId: 2n, eventId: 3n })
  return app
}

const shown = {
  webhookId: 1,
  eventType: 'order.placed',
  createdAt: '2027-01-01T00:00:00.000Z',
  attempts: [attempt],
}
const nextAttemptAt = '2027-01-01T00:00:05.000Z'

it('200: the deliveries of one webhook, by status and event, with pages and a total', async () => {
  const { api } = await startWithDeliveries()
  const idsOf = async (query: string) =>
    ((await api.get(url + query)).json() as { id: number }[]).map(({ id }) => id)

  const all = await api.get(url)

  assert.deepEqual(all.json(), [
    { id: 1, ...shown, eventId: 3, status: 'succeeded' },
    { id: 2, ...shown, eventId: 5, status: 'failed' },
    { id: 3, ...shown, eventId: 7, status: 'pending', nextAttemptAt },
  ])
  assert.deepEqual(await idsOf('?status=failed'), [2])
  assert.deepEqual(await idsOf('?eventId=7'), [3])
  assert.deepEqual(await idsOf('?eventId=7&status=failed'), [])
  const first = await api.get(`${url}?limit=2&sort=-id`, { headers: { prefer: 'count=exact' } })
  assert.equal(first.headers['x-total-count'], '3')
  const [, next = ''] = /<http:\/\/petstore\.test([^>]+)>/.exec(first.headers.link ?? '') ?? []
  assert.match(next, /^\/v1\/webhooks\/1\/deliveries\?/)
  assert.deepEqual(((await api.get(next)).json() as { id: number }[]).length, 1)
  expectError(await api.get(next.replace('/1/', '/2/')), 400, 'invalid_cursor')
})

it('200: a delivery is due at once, whatever its state, and keeps its attempts', async () => {
  const { api } = await startWithDeliveries()

  for (const [id, eventId] of [[1, 3] as const, [2, 5] as const, [3, 7] as const]) {
    const retried = await api.send('POST', `${url}/${id}/retry`)

    assert.equal(retried.status, 200)
    const expected = { id, ...shown, eventId, status: 'pending', nextAttemptAt: shown.createdAt }
    assert.deepEqual(retried.json(), expected)
    assert.deepEqual((await api.get(`${url}?eventId=${eventId}`)).json(), [expected])
  }
})

it('404: a delivery of another webhook, or none; 410: one whose event is deleted; nothing is due', async () => {
  const { api, context, clock } = await startWithDeliveries()
  await api.addDelivery({ webhookId: 1n, eventId: 1n, status: 'failed' })
  await context.db.write(fanOutEvents, authorityOf(context))
  clock.ms += 31 * 86_400_000
  await pruneEvents.runStep(context.db, clock.ms, context.logLimits)
  const before = (await api.get(url)).text

  for (const id of ['4', '6', 'x'])
    expectError(await api.send('POST', `${url}/${id}/retry`), 404, 'not_found')
  expectError(await api.send('POST', '/v1/webhooks/2/deliveries/1/retry'), 404, 'not_found')
  expectError(await api.send('POST', `${url}/5/retry`), 410, 'events_expired')

  assert.equal((await api.get(url)).text, before)
})

it('409: nothing of a paused webhook is sent again', async () => {
  const { api } = await startWithDeliveries()
  await api.send('PATCH', '/v1/webhooks/1', { body: { status: 'paused' } })

  expectError(await api.send('POST', `${url}/2/retry`), 409, 'webhook_not_enabled')
})

it('200: a repetition with one key is a replay; 422: for another webhook', async () => {
  const { api } = await startWithDeliveries()
  const headers = { 'idempotency-key': 'one' }

  const first = await api.send('POST', `${url}/2/retry`, { headers })
  const again = await api.send('POST', `${url}/2/retry`, { headers })
  const other = await api.send('POST', '/v1/webhooks/2/deliveries/2/retry', { headers })

  assert.equal(again.text, first.text)
  assert.equal(again.headers['idempotency-replayed'], 'true')
  expectError(other, 422, 'idempotency_key_reused')
})
