import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { it } from 'node:test'
import { expectError, startApp } from '../../test/harness/app.ts'
import { itInFull } from '../../test/harness/extent.ts'
import {
  fillStore,
  openRequests,
  requests,
  requestsByStore,
} from '../../test/harness/operations.ts'
import { selectKeyByDigest, selectKeysRevision } from '../features/keys/queries.ts'
import { scopes } from '../features/scopes.ts'
import { performance } from '../timers.ts'

const challenge = 'Bearer realm="petstore"'
const invalidToken = `${challenge}, error="invalid_token", error_description=`

it('401: no key, or one that is not sent as a bearer token', async () => {
  const { api, key } = await startApp()

  for (const { method, url, ...request } of requests) {
    for (const headers of [{}, { authorization: key }]) {
      const response = await api.send(method, url, { ...request, key: null, headers })
      expectError(response, 401, 'missing_api_key')
      assert.equal(response.headers['www-authenticate'], challenge)
    }
  }
})

it('401: an unknown key', async () => {
  const { api } = await startApp()
  const unknown = await (await startApp()).issueKey()

  for (const { method, url, ...request } of requests) {
    const response = await api.send(method, url, { ...request, key: unknown })
    expectError(response, 401, 'invalid_api_key')
    const told = (response.json() as { message: string }).message
    assert.match(told, /^This API key is not known here: /)
    assert.equal(response.headers['www-authenticate'], `${invalidToken}"${told}"`)
    assert.doesNotMatch(JSON.stringify(response), new RegExp(unknown))
  }
})

it('401: a key of the other environment', async () => {
  const { api } = await startApp()
  const production = await startApp({ settings: { PETSTORE_ENVIRONMENT: 'production' } })

  const response = await api.get('/v1/pets', { key: production.key })

  expectError(response, 401, 'invalid_api_key')
  assert.match(
    response.text,
    /This API key belongs to production; this is staging\. Send a key that begins with pet_test_,/,
  )
})

it('401: a key is valid up to the millisecond at which it expires', async () => {
  const { api, issueKey, clock } = await startApp({ now: '2027-01-01T00:00:00Z' })
  const key = await issueKey({ validMs: 1_000 })
  const ask = ({ method, url, ...request }: (typeof requests)[number]) =>
    api.send(method, url, { ...request, key })

  clock.ms += 999
  for (const request of requests) assert.notEqual((await ask(request)).status, 401)
  clock.ms += 1
  for (const request of requests) {
    const expired = await ask(request)

    expectError(expired, 401, 'expired_api_key')
    assert.match(expired.headers['www-authenticate'] ?? '', /error="invalid_token"/)
    assert.match(expired.text, /2027-01-01T00:00:01\.000Z/)
  }
})

it('401: a revoked key', async () => {
  const { api, issueKey, revokeKey } = await startApp()
  const key = await issueKey()
  await revokeKey(key)

  for (const { method, url, ...request } of requests) {
    const response = await api.send(method, url, { ...request, key })

    expectError(response, 401, 'revoked_api_key')
    assert.match(response.headers['www-authenticate'] ?? '', /error="invalid_token"/)
  }
})

it('403: every operation needs its scope, and no other', async () => {
  for (const sent of requestsByStore) {
    const { api, issueKey } = await startApp()
    await fillStore(api)

    for (const { operationId, method, url, scope, status, body, file } of sent) {
      if (scope === 'anyKey') continue
      const others = scopes.filter((other) => other !== scope)
      const lacking = await issueKey({ scopes: others })
      const sufficient = await issueKey({ scopes: [scope] })
      const refused = await api.send(method, url, { body, key: lacking })
      const asked = { body, file, key: sufficient, headers: { prefer: 'scopes' } }
      const allowed = await api.send(method, url, asked)

      expectError(refused, 403, 'insufficient_scope')
      assert.equal(
        refused.headers['www-authenticate'],
        `${challenge}, error="insufficient_scope", scope="${scope}"`,
      )
      assert.equal(refused.headers['petstore-scopes'], others.join(' '))
      assert.equal(allowed.status, status, `${operationId}: ${allowed.text}`)
      assert.equal(allowed.headers['petstore-scopes'], scope)
    }
  }
})

it('200: Petstore-Scopes is of the key that asked, not of another that shares the page, and only where asked for', async () => {
  const { api, issueKey } = await startApp()
  await api.createPet()
  const narrow = await issueKey({ scopes: ['pets:read'] })
  const headers = { prefer: 'scopes' }

  const answers = await Promise.all([
    api.get('/v1/pets', { headers }),
    api.get('/v1/pets', { headers, key: narrow }),
    api.get('/v1/pets', { key: narrow }),
    api.get('/v1/pets', { headers, key: 'x' }),
    api.get('/v1/pets?id=1', { headers: { ...headers, 'if-none-match': '*' } }),
  ])

  assert.deepEqual(
    answers.map((answer) => [answer.status, answer.headers['petstore-scopes']]),
    [
      [200, scopes.join(' ')],
      [200, 'pets:read'],
      [200, undefined],
      [401, undefined],
      [304, undefined],
    ],
  )
})

it('200: paths without authentication ignore a missing or wrong key', async () => {
  const { api } = await startApp()

  for (const { method, url } of openRequests) {
    for (const key of [null, 'x']) {
      const response = await api.send(method, url, { key })
      assert.equal(response.status, 200, url)
      assert.equal(response.headers['www-authenticate'], undefined, url)
    }
  }
})

it('503: keys are refused once they could not be confirmed for two seconds', async (t) => {
  const { api, failDb } = await startApp()
  failDb(new Error('The database is away.'))
  const startMs = performance.now()
  const now = t.mock.method(performance, 'now', () => startMs + 1_000)
  const trusted = await api.get('/v1/pets/1')
  now.mock.mockImplementation(() => startMs + 10_000)

  const response = await api.get('/v1/pets/1')
  const unknown = await api.get('/v1/pets', { key: 'x' })

  expectError(trusted, 500, 'internal_error')
  expectError(response, 503, 'unavailable')
  expectError(unknown, 503, 'unavailable')
  assert.equal(response.headers['retry-after'], '1')
  assert.equal(response.headers['www-authenticate'], undefined)
})

it('200: confirmations in which the process was suspended do not count; keys are confirmed again', async (t) => {
  const { api, context } = await startApp()
  let nowMs = performance.now() + 10_000
  t.mock.method(performance, 'now', () => nowMs)
  const { read } = context.db
  let suspensions = 3
  const reading = t.mock.method(context.db, 'read', ((query, input) => {
    if (suspensions-- > 0) nowMs += 10_000
    return read(query, input)
  }) as typeof read)

  assert.equal((await api.get('/v1/pets')).status, 200)
  // Three confirmations that are too old, the one that counts, and the page.
  assert.ok(reading.mock.callCount() >= 5)
})

it('200: a request that joins a confirmation which then fails waits for another one', async (t) => {
  const { api, context } = await startApp()
  const startMs = performance.now()
  t.mock.method(performance, 'now', () => startMs + 10_000)
  const { promise: broken, reject } = Promise.withResolvers<never>()
  const { promise: isReading, resolve: note } = Promise.withResolvers<void>()
  const reading = t.mock.method(context.db, 'read', () => {
    note()
    return broken
  })

  const first = api.get('/v1/pets', { isRepeated: false })
  await isReading
  const second = api.get('/v1/pets')
  reading.mock.restore()
  setImmediate(() => reject(new Error('The connection broke while the process was suspended.')))

  expectError(await first, 503, 'unavailable')
  assert.equal((await second).status, 200)
})

itInFull(
  '200, 401: what the database answers while the thread is blocked counts, however late it is read',
  async (t) => {
    const { api, context } = await startApp()
    const unknown = await (await startApp()).issueKey()
    const startMs = performance.now()
    t.mock.method(performance, 'now', () => startMs + 10_000)
    const { read } = context.db
    const ofKeys = new Set<unknown>([selectKeysRevision, selectKeyByDigest])
    t.mock.method(context.db, 'read', (async (query, input) => {
      const result = await read(query, input)
      if (!ofKeys.has(query)) return result
      const arriving = stat('.')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_100)
      await arriving
      return result
    }) as typeof read)

    assert.equal((await api.get('/v1/pets', { isRepeated: false })).status, 200)
    assert.equal((await api.get('/v1/pets', { key: unknown, isRepeated: false })).status, 401)
  },
)
