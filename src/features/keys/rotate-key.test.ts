import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp } from '../../../test/harness/app.ts'

const url = '/v1/keys'
const dayMs = 86_400_000

type Issued = { key: string; id: number; scopes: string[]; previousHint: string; hint: string }

it('200: the successor has the same id, name and scopes; the old key ends after a day', async () => {
  const { api, issueKey, clock } = await startApp({ now: '2027-01-01T00:00:00Z' })
  const old = await issueKey({ name: 'shop', scopes: ['pets:read'] })

  const response = await api.post(`${url}/2/rotate`, {})

  assert.equal(response.status, 200, response.text)
  assert.equal(response.headers['cache-control'], 'no-store')
  const { key, ...known } = response.json() as Issued
  assert.deepEqual(known, {
    id: 2,
    name: 'shop',
    hint: `pet_test_…${key.slice(-4)}`,
    scopes: ['pets:read'],
    createdAt: '2027-01-01T00:00:00.000Z',
    previousHint: `pet_test_…${old.slice(-4)}`,
    previousEndsAt: '2027-01-02T00:00:00.000Z',
  })
  assert.deepEqual((JSON.parse((await api.get(url)).text) as unknown[])[1], known)
  for (const one of [old, key]) assert.equal((await api.get('/v1/pets', { key: one })).status, 200)
  clock.ms += dayMs
  const ended = await api.get('/v1/pets', { key: old })
  expectError(ended, 401, 'expired_api_key')
  assert.match(ended.text, /was replaced by another one/)
  assert.equal((await api.get('/v1/pets', { key })).status, 200)
})

it('200: without overlap the old key is refused on the next request; a key rotates itself', async () => {
  const { api, key } = await startApp()

  const { key: successor } = (
    await api.post(`${url}/1/rotate`, { overlapSeconds: 0 })
  ).json() as Issued

  expectError(await api.get('/v1/pets'), 401, 'expired_api_key')
  assert.notEqual(successor, key)
  assert.equal((await api.get(url, { key: successor })).status, 200)
})

it('403: nobody gains by rotating a stronger key', async () => {
  const { api, issueKey } = await startApp()
  const weak = await issueKey({ scopes: ['keys:manage', 'pets:read'] })

  const refused = await api.post(`${url}/1/rotate`, {}, { key: weak })

  expectError(refused, 403, 'insufficient_scope')
  assert.match(refused.text, /does not have default, webhooks:manage: it takes/)
  assert.ok(!refused.text.includes('pet_test_'))
  assert.ok(!(await api.get(`${url}/1`)).text.includes('previousHint'))
})

it('400: an overlap of eight days, or of less than nothing', async () => {
  const { api } = await startApp()

  for (const overlapSeconds of [8 * 86_400, 7 * 86_400 + 1, -1, 1.5, '60', null]) {
    expectError(await api.post(`${url}/1/rotate`, { overlapSeconds }), 400, 'invalid_body')
  }
  const week = await api.post(`${url}/1/rotate`, { overlapSeconds: 7 * 86_400 })
  assert.equal(week.status, 200)
})

it('409: two rotations at once give one successor; one without overlap ends both old keys', async () => {
  const { api, issueKey } = await startApp()
  const old = await issueKey({ name: 'shop' })

  const responses = await Promise.all([1, 2].map(() => api.post(`${url}/2/rotate`, {})))

  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 409])
  const [first, refused] = responses.toSorted((a, b) => a.status - b.status)
  assert.ok(first && refused)
  expectError(refused, 409, 'rotation_in_progress')
  const { key: second } = first.json() as Issued
  const again = await api.post(`${url}/2/rotate`, { overlapSeconds: 0 })
  const { key: third } = again.json() as Issued
  expectError(await api.get('/v1/pets', { key: second }), 401, 'expired_api_key')
  expectError(await api.get('/v1/pets', { key: old }), 401, 'invalid_api_key')
  assert.equal((await api.get('/v1/pets', { key: third })).status, 200)
})

it('409: a revoked or expired key is not rotated; 404: nor an unknown one', async () => {
  const { api, issueKey, clock } = await startApp()
  await issueKey({ name: 'revoked' })
  await issueKey({ name: 'expired', validMs: 1_000 })
  await api.send('DELETE', `${url}/2`)
  clock.ms += 1_000

  expectError(await api.post(`${url}/2/rotate`, {}), 409, 'key_not_active')
  expectError(await api.post(`${url}/3/rotate`, {}), 409, 'key_not_active')
  expectError(await api.post(`${url}/7/rotate`, {}), 404, 'not_found')
})

it('401: the end of a key is that of the replaced one too', async () => {
  const { api, issueKey, clock } = await startApp()
  const old = await issueKey({ validMs: 1_000 })
  const { key } = (await api.post(`${url}/2/rotate`, {})).json() as Issued

  clock.ms += 1_000

  for (const one of [old, key])
    expectError(await api.get('/v1/pets', { key: one }), 401, 'expired_api_key')
})

it('422: a repetition is refused, and issues no second successor', async () => {
  const { api } = await startApp()
  const headers = { 'idempotency-key': 'one' }

  const { hint } = (await api.post(`${url}/1/rotate`, {}, { headers })).json() as Issued
  const again = await api.post(`${url}/1/rotate`, { overlapSeconds: 86_400 }, { headers })
  const other = await api.post(`${url}/1/rotate`, { overlapSeconds: 0 }, { headers })

  expectError(again, 422, 'idempotency_key_reused')
  assert.match(again.text, /contained a secret/)
  expectError(other, 422, 'idempotency_key_reused')
  assert.match(other.text, /was used for another request/)
  assert.equal(((await api.get(`${url}/1`)).json() as Issued).hint, hint)
})
