import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp, type TestApi } from '../../../test/harness/app.ts'

const url = '/v1/webhooks'

async function startWithWebhook() {
  const app = await startApp()
  const sent = { url: 'https://shop.example/', types: ['order.placed'], description: 'Shop' }
  const { secret, ...webhook } = (await app.api.post(url, sent)).json() as Record<string, unknown>
  const update = (body: object) => app.api.send('PATCH', `${url}/1`, { body })
  return { ...app, webhook, update, secret: String(secret) }
}

it('200: changes what is sent, and null removes; an event tells the difference', async () => {
  const { api, webhook, update } = await startWithWebhook()

  const paused = await update({ status: 'paused', types: null, description: null })

  const { types, description, ...rest } = webhook
  const missed = { missedAfter: 1 }
  assert.deepEqual(paused.json(), { ...rest, ...missed, status: 'paused' })
  assert.deepEqual((await api.get(`${url}/1`)).json(), paused.json())
  assert.deepEqual(await previousOf(api, 'webhook.updated'), {
    types,
    description,
    status: 'enabled',
  })
  const moved = await update({ url: 'https://other.example/', status: 'enabled' })
  assert.deepEqual(moved.json(), { ...rest, ...missed, url: 'https://other.example/' })
})

it('200: what changes nothing is no event', async () => {
  const { api, webhook, update } = await startWithWebhook()

  assert.deepEqual((await update({ status: 'enabled' })).json(), webhook)
  assert.deepEqual((await update({})).json(), webhook)
  assert.deepEqual((await api.get('/v1/events?type=webhook.updated')).json(), [])
})

it('400: what a new webhook may not have either, or the status disabled; nothing changes', async () => {
  const { api, webhook, update } = await startWithWebhook()

  for (const body of [
    { url: 'https://10.0.0.1/' },
    { url: null },
    { types: ['pet.sold'] },
    { types: [] },
    { status: 'disabled' },
    { status: null },
    { description: '' },
    [],
  ])
    expectError(await update(body), 400, 'invalid_body')
  assert.deepEqual((await api.get(`${url}/1`)).json(), webhook)
})

it('403: a key that may not read what the maker reads sets no address and gets no secret; it may pause', async () => {
  const { api, webhook, issueKey } = await startWithWebhook()
  const key = await issueKey({ scopes: ['webhooks:manage', 'pets:read'] })
  const update = (body: object) => api.send('PATCH', `${url}/1`, { body, key })

  const moved = await update({ url: 'https://other.example/' })
  const rotated = await api.send('POST', `${url}/1/rotate-secret`, { key })

  for (const response of [moved, rotated]) {
    expectError(response, 403, 'insufficient_scope')
    assert.match(response.text, /does not have orders:read, .*keys:manage: /)
    assert.doesNotMatch(response.text, /whsec_|pets:read/)
  }
  assert.deepEqual((await api.get(`${url}/1`)).json(), webhook)
  assert.equal((await update({ status: 'paused' })).status, 200)
})

it('403: a key that ends before the key of the maker sets no address and gets no secret', async () => {
  const { api, issueKey } = await startWithWebhook()
  const key = await issueKey({ validMs: 60_000 })
  const body = { url: 'https://other.example/' }
  await api.post(url, { url: 'https://own.example/' }, { key })

  for (const response of [
    await api.send('PATCH', `${url}/1`, { body, key }),
    await api.send('POST', `${url}/1/rotate-secret`, { key }),
  ]) {
    expectError(response, 403, 'insufficient_scope')
    assert.match(response.text, /ends at 2027-01-01T00:01:00.000Z: /)
  }
  assert.equal((await api.send('PATCH', `${url}/2`, { body, key })).status, 200)
})

it('200: another key that reads as much sets an address; of a webhook whose maker was revoked, one that reads all', async () => {
  const { api, issueKey, revokeKey } = await startWithWebhook()
  const scopes = ['webhooks:manage', 'pets:read'] as const
  const maker = await issueKey({ scopes })
  await api.post(url, { url: 'https://pets.example/' }, { key: maker })
  const key = await issueKey({ scopes })
  const move = (sender?: string) =>
    api.send('PATCH', `${url}/2`, {
      body: { url: 'https://other.example/' },
      ...(sender && { key: sender }),
    })

  assert.equal((await move(key)).status, 200)
  await revokeKey(maker)
  expectError(await move(key), 403, 'insufficient_scope')
  assert.equal((await move()).status, 200)
})

it('204: a deleted webhook is gone; its event has what it was', async () => {
  const { api, webhook } = await startWithWebhook()

  assert.equal((await api.send('DELETE', `${url}/1`)).status, 204)

  expectError(await api.get(`${url}/1`), 404, 'not_found')
  expectError(await api.send('DELETE', `${url}/1`), 404, 'not_found')
  const [event] = (await api.get('/v1/events?type=webhook.deleted')).json() as { data: object }[]
  assert.deepEqual(event?.data, webhook)
  const next = (await api.post(url, { url: 'https://shop.example/' })).json() as { id: number }
  assert.equal(next.id, 2, 'an id is never reused')
})

it('200: a rotation shows another secret once, and until when the old one signs', async () => {
  const { api, webhook, secret } = await startWithWebhook()

  const response = await api.send('POST', `${url}/1/rotate-secret`)

  const { secret: second, ...known } = response.json() as { secret: string }
  assert.match(second, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.notEqual(second, secret)
  assert.deepEqual(known, { ...webhook, previousSecretEndsAt: '2027-01-02T00:00:00.000Z' })
  assert.equal(response.headers['cache-control'], 'no-store')
  assert.deepEqual((await api.get(`${url}/1`)).json(), known)
  assert.deepEqual(await previousOf(api, 'webhook.rotated'), { previousSecretEndsAt: null })
})

it('422: a rotation is not repeated', async () => {
  const { api } = await startWithWebhook()
  const headers = { 'idempotency-key': 'one' }
  const rotate = () => api.send('POST', `${url}/1/rotate-secret`, { headers })

  assert.equal((await rotate()).status, 200)
  expectError(await rotate(), 422, 'idempotency_key_reused')
})

async function previousOf(api: TestApi, type: string): Promise<unknown> {
  const [event] = (await api.get(`/v1/events?type=${type}`)).json() as { previous?: unknown }[]
  return event?.previous
}
