import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp } from '../../test/harness/app.ts'

const shop = 'https://shop.example.com'
const preflight = {
  origin: shop,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type',
}

/** Of the transport, or safelisted by the Fetch standard. */
const isAlwaysReadable =
  /^(?:access-control-.*|allow|cache-control|connection|content-(?:length|type)|date|keep-alive|vary|x-content-type-options)$/

function corsHeadersOf({ headers }: { headers: Record<string, string> }): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => /^(?:access-control-|vary$)/.test(name)),
  )
}

it('CORS is off by default', async () => {
  const { api } = await startApp()

  const answers = [
    await api.get('/v1/pets', { headers: { origin: shop } }),
    await api.send('OPTIONS', '/v1/pets', { key: null, headers: preflight }),
  ]

  assert.deepEqual(answers.map(corsHeadersOf), [{}, {}])
})

it('204: a preflight from a configured origin gets the allowed methods and headers', async () => {
  const { api } = await startApp({
    settings: { PETSTORE_CORS_ORIGINS: `https://x.example,${shop}` },
  })

  const response = await api.send('OPTIONS', '/v1/pets', { key: null, headers: preflight })

  assert.equal(response.status, 204)
  assert.equal(response.text, '')
  const { vary, ...cors } = corsHeadersOf(response)
  assert.equal(vary, 'Origin')
  assert.deepEqual(cors, {
    'access-control-allow-origin': shop,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers':
      'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, Last-Event-ID, Prefer, Range, X-Request-Id',
    'access-control-max-age': '600',
  })
})

it('responses to a configured origin can be read with all of their headers, errors too', async () => {
  const { api } = await startApp({ settings: { PETSTORE_CORS_ORIGINS: shop } })
  const headers = { origin: shop }

  const answers = [
    await api.get('/v1/pets', { headers: { ...headers, prefer: 'scopes' } }),
    await api.get('/v1/pets', { key: null, headers }),
    await api.get('/v1/pets/1', { headers }),
    await api.get('/v1/nothing', { headers }),
    await api.send('OPTIONS', '/v1/pets', { headers }),
  ]

  for (const response of answers) {
    assert.equal(response.headers['access-control-allow-origin'], shop)
    assert.equal(response.headers['access-control-allow-credentials'], undefined)
    assert.equal(response.headers.vary, 'Origin')
    const exposed = response.headers['access-control-expose-headers']?.toLowerCase().split(', ')
    for (const name of Object.keys(response.headers).filter((one) => !isAlwaysReadable.test(one))) {
      assert.ok(exposed?.includes(name), name)
    }
  }
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 401, 404, 404, 204],
  )
})

it('other origins get no CORS headers, but Vary names Origin', async () => {
  const { api } = await startApp({ settings: { PETSTORE_CORS_ORIGINS: shop } })

  for (const origin of [undefined, 'https://shop.example.com.evil.example', 'null', `${shop}:81`]) {
    const headers = origin === undefined ? {} : { origin }
    const response = await api.get('/v1/pets', { headers })
    assert.equal(response.status, 200)
    assert.deepEqual(corsHeadersOf(response), { vary: 'Origin' })
  }
  const refused = await api.send('OPTIONS', '/v1/pets', {
    headers: { ...preflight, origin: 'https://evil.example' },
  })
  assert.deepEqual(corsHeadersOf(refused), { vary: 'Origin' })
})

it('* allows every origin, without credentials', async () => {
  const { api } = await startApp({ settings: { PETSTORE_CORS_ORIGINS: '*' } })

  const response = await api.get('/v1/pets', { key: null, headers: { origin: 'null' } })

  expectError(response, 401, 'missing_api_key')
  assert.equal(response.headers['access-control-allow-origin'], '*')
  assert.equal(response.headers['access-control-allow-credentials'], undefined)
  assert.equal(response.headers.vary, undefined)
})
