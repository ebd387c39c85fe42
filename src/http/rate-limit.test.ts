import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp } from '../../test/harness/app.ts'
import type { Answer } from '../../test/harness/contract.ts'
import { requests } from '../../test/harness/operations.ts'

const limited = { PETSTORE_RATE_LIMIT_PER_SECOND: '2', PETSTORE_RATE_LIMIT_BURST: '3' }
const yearMs = 365 * 86_400_000

const policyOf = ({ headers }: Answer) => headers['ratelimit-policy']
const leftOf = ({ headers }: Answer) => headers.ratelimit

it('429: a key beyond its limit waits for a second, alone; a refused request costs nothing', async () => {
  const { api, clock, issueKey } = await startApp({ settings: limited })
  const other = await issueKey()
  for (const left of [2, 1, 0]) {
    const answer = await api.get('/v1/pets')
    assert.deepEqual([answer.status, leftOf(answer)], [200, `"key";r=${left};t=1`])
    assert.equal(policyOf(answer), '"key";q=3;w=2')
  }

  for (let round = 0; round < 5; round += 1) {
    const refused = await api.get('/v1/pets')
    expectError(refused, 429, 'rate_limited')
    assert.equal(refused.headers['retry-after'], '1')
    assert.equal(leftOf(refused), '"key";r=0;t=1')
  }
  assert.equal(leftOf(await api.get('/v1/pets', { key: other })), '"key";r=2;t=1')
  clock.ms += 499
  assert.equal((await api.get('/v1/pets')).status, 429)
  clock.ms += 1
  assert.equal((await api.get('/v1/pets')).status, 200)
  assert.equal((await api.get('/v1/pets')).status, 429)
})

it('429: a refused request has no effect, and says what is allowed in either media type', async () => {
  const { api } = await startApp({ settings: { PETSTORE_RATE_LIMIT_PER_SECOND: '1' } })
  await api.createPet()

  const refused = await api.post('/v1/pets', { name: 'Rex', categoryId: 7 })
  const problem = await api.get('/v1/pets', { headers: { accept: 'application/problem+json' } })

  expectError(refused, 429, 'rate_limited')
  assert.match(refused.text, /1 requests per second, 1 at once/)
  assert.equal((problem.json() as { type: string }).type, 'urn:petstore:error:rate_limited')
})

it('every response after the key check tells what is left; none before it does', async () => {
  const { api, issueKey } = await startApp({ settings: { PETSTORE_RATE_LIMIT_PER_SECOND: '99' } })
  const { id } = await api.createPet()
  const weak = await issueKey({ scopes: ['orders:read'] })
  const { headers } = await api.get(`/v1/pets/${id}`)

  const known = { headers: { 'if-none-match': String(headers.etag) } }
  for (const [answer, status] of [
    [await api.get(`/v1/pets/${id}`, known), 304],
    [await api.send('HEAD', '/v1/pets'), 200],
    [await api.post('/v1/pets', {}), 400],
    [await api.get('/v1/pets', { key: weak }), 403],
    [await api.get('/v1/pets/99'), 404],
  ] as const) {
    assert.deepEqual([answer.status, policyOf(answer)], [status, '"key";q=99;w=1'])
    assert.match(leftOf(answer) ?? '', /^"key";r=\d+;t=1$/)
  }
  for (const [answer, status] of [
    [await api.get('/health/live'), 200],
    [await api.get('/openapi.json'), 200],
    [await api.get('/v1/nothing'), 404],
    [await api.get('/v1/pets', { key: null }), 401],
  ] as const) {
    assert.deepEqual(
      [answer.status, policyOf(answer), leftOf(answer)],
      [status, undefined, undefined],
    )
  }
})

it('200: without settings only a key with a rateLimit has one; null gives it that of the settings', async () => {
  const { api } = await startApp()
  const key = { name: 'app', scopes: ['default', 'keys:manage'] }
  const change = (body: object) => api.send('PATCH', '/v1/keys/2', { body })

  const created = (await api.post('/v1/keys', { ...key, rateLimit: 1 })).json() as {
    key: string
    rateLimit: number
  }

  assert.equal(created.rateLimit, 1)
  const own = { key: created.key }
  assert.equal(leftOf(await api.get('/v1/pets', own)), '"key";r=0;t=1')
  expectError(await api.get('/v1/pets', own), 429, 'rate_limited')
  assert.equal((await change({ name: 'still limited' })).status, 200)
  expectError(await api.get('/v1/pets', own), 429, 'rate_limited')
  assert.equal(policyOf(await api.get('/v1/pets')), undefined)
  assert.equal(((await change({ rateLimit: 5 })).json() as { rateLimit: number }).rateLimit, 5)
  assert.equal(policyOf(await api.get('/v1/pets', own)), '"key";q=5;w=1')
  assert.ok(!(await change({ rateLimit: null })).text.includes('rateLimit'))
  assert.equal(policyOf(await api.get('/v1/pets', own)), undefined)
  for (const rateLimit of [0, -1, 1.5, 1_000_001, '5'])
    expectError(await change({ rateLimit }), 400, 'invalid_body')
})

it('200: a rotated key and its successor share one limit', async () => {
  const { api, key, clock } = await startApp({ settings: { PETSTORE_RATE_LIMIT_PER_SECOND: '2' } })
  const rotated = (await api.post('/v1/keys/1/rotate', {})).json() as { key: string }

  const first = await api.get('/v1/pets', { key: rotated.key })

  assert.equal(leftOf(first), '"key";r=0;t=1')
  expectError(await api.get('/v1/pets', { key }), 429, 'rate_limited')
  clock.ms += 1_000
  assert.equal((await api.get('/v1/pets', { key })).status, 200)
})

it('200: a clock that jumps by a year gives one burst, and no more when it is set back', async () => {
  const { api, clock } = await startApp({ settings: limited })
  const statuses = async () => [
    (await api.get('/v1/pets')).status,
    (await api.get('/v1/pets')).status,
    (await api.get('/v1/pets')).status,
    (await api.get('/v1/pets')).status,
  ]
  assert.deepEqual(await statuses(), [200, 200, 200, 429])

  clock.ms += yearMs
  assert.deepEqual(await statuses(), [200, 200, 200, 429])
  const monotonicMs = clock.ms
  Object.assign(clock, { ms: clock.ms - yearMs, monotonicMs })
  assert.deepEqual(await statuses(), [429, 429, 429, 429])
  clock.monotonicMs = monotonicMs + 500
  assert.deepEqual(await statuses(), [200, 429, 429, 429])
})

it('429: every operation that takes a key is limited, before its parameters and its body are checked', async () => {
  const { api } = await startApp({ settings: { PETSTORE_RATE_LIMIT_PER_SECOND: '1' } })
  await api.get('/v1/pets')

  for (const { method, url, body } of requests) {
    expectError(await api.send(method, url, { body }), 429, 'rate_limited')
  }
})
