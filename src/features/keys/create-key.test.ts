import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp } from '../../../test/harness/app.ts'

const url = '/v1/keys'

it('201: creates a key, shows it once, and says who made it', async () => {
  const { api } = await startApp()

  const response = await api.post(url, { name: 'Web shop', scopes: ['pets:read', 'pets:read'] })

  assert.equal(response.status, 201)
  const { key, ...known } = response.json() as { key: string; id: number }
  assert.match(key, /^pet_test_[0-9A-Za-z]{38}$/)
  assert.deepEqual(known, {
    id: 2,
    name: 'Web shop',
    hint: `pet_test_…${key.slice(-4)}`,
    scopes: ['pets:read'],
    createdAt: '2027-01-01T00:00:00.000Z',
    createdBy: 1,
  })
  assert.equal(response.headers.location, 'http://petstore.test/v1/keys/2')
  assert.equal(response.headers['cache-control'], 'no-store')
  assert.equal((await api.get('/v1/pets', { key })).status, 200)
  expectError(await api.get('/v1/inventory', { key }), 403, 'insufficient_scope')
  const shown = await api.get(`${url}/2`)
  assert.deepEqual(shown.json(), known)
  assert.ok(!(await api.get(url)).text.includes(key.slice(9, 25)))
})

it('201: without scopes a key has default, which manages no keys', async () => {
  const { api } = await startApp()

  const response = await api.post(url, { name: 'shop' })

  const { key, scopes } = response.json() as { key: string; scopes: string[] }
  assert.deepEqual(scopes, ['default'])
  assert.equal((await api.post('/v1/pets', { name: 'Rex', categoryId: 1 }, { key })).status, 201)
  expectError(await api.get(url, { key }), 403, 'insufficient_scope')
})

it('422: a repetition is refused, since the key is not stored; it creates no second one', async () => {
  const { api } = await startApp()
  const headers = { 'idempotency-key': 'one' }

  const first = await api.post(url, { name: 'shop' }, { headers })
  const again = await api.post(url, { name: 'shop' }, { headers })
  const other = await api.post(url, { name: 'another' }, { headers })

  assert.equal(first.status, 201)
  expectError(again, 422, 'idempotency_key_reused')
  expectError(other, 422, 'idempotency_key_reused')
  assert.equal((JSON.parse((await api.get(url)).text) as unknown[]).length, 2)
})

it('403: names the scopes that the caller lacks; default is granted only by a key that holds it', async () => {
  const { api, issueKey } = await startApp()
  const key = await issueKey({ scopes: ['keys:manage', 'pets:read'] })

  const wider = await api.post(url, { name: 'x', scopes: ['pets:read', 'orders:read'] }, { key })
  const byDefault = await api.post(url, { name: 'x' }, { key })
  const equal = await api.post(url, { name: 'x', scopes: ['pets:read', 'keys:manage'] }, { key })

  expectError(wider, 403, 'insufficient_scope')
  assert.match(wider.text, /does not have orders:read: it takes/)
  assert.equal(
    wider.headers['www-authenticate'],
    'Bearer realm="petstore", error="insufficient_scope"',
  )
  assert.equal(wider.headers['petstore-scopes'], 'pets:read keys:manage')
  expectError(byDefault, 403, 'insufficient_scope')
  assert.match(byDefault.text, /does not have default: it takes/)
  assert.equal(equal.status, 201)
})

it('400: names the nearest scope of one that does not exist, and every other problem', async () => {
  const { api } = await startApp({ now: '2027-01-01T00:00:00Z' })
  const past = '2026-12-31T23:59:59Z'

  const both = await api.post(url, { name: 'x', scopes: ['pets:reed'], expiresAt: past })

  expectError(both, 400, 'invalid_body')
  assert.match(both.text, /scopes\.0 must be one of default, .*; did you mean pets:read\?/)
  assert.match(both.text, /expiresAt must be an instant in the future/)
  const all = await api.post(url, { rateLimit: 0, expiresAt: 'soon', scopes: [], name: '' })
  assert.match(all.text, /name must .*; scopes must .*; expiresAt must .*; rateLimit must /)
  for (const expiresAt of [past, '2027-01-01T00:00:00Z', 'soon', '2027-02-30T00:00:00Z', '']) {
    expectError(await api.post(url, { name: 'x', expiresAt }), 400, 'invalid_body')
  }
  assert.equal((JSON.parse((await api.get(url)).text) as unknown[]).length, 1)
})

it('400: a name of 1,000 emoji or of control characters; 201: one of 200 emoji', async () => {
  const { api } = await startApp()

  for (const name of ['🐕'.repeat(1_000), 'a\u0007b', '\n', ' ', '', 7, null]) {
    const refused = await api.post(url, { name })
    expectError(refused, 400, 'invalid_body')
    assert.ok(refused.text.length < 1_000)
  }
  assert.equal((await api.post(url, { name: '🐕'.repeat(200) })).status, 201)
})
