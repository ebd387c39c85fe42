import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp, type TestApi } from '../harness/app.ts'
import { fillStore } from '../harness/operations.ts'

// The mistakes of a first hour with the service, and what it says about each.

type Sent = Parameters<TestApi['send']>[2]

it('404: a path that is nearly right is named, whatever the method and without a key', async () => {
  const { api } = await startApp()
  const meant: Record<string, string> = {
    '/pets': '/v1/pets',
    '/pets/7': '/v1/pets/7',
    '/v1/pet': '/v1/pets',
    '/v1/pets/': '/v1/pets',
    '/v1//pets': '/v1/pets',
    '/v1/pets/1/': '/v1/pets/1',
    '/V1/Pets': '/v1/pets',
    '/v2/pets': '/v1/pets',
    '/api/v1/pets?limit=5': '/v1/pets',
    '/v1/pet/findByStatus': '/v1/pets',
    '/v1/orders/3/ship': '/v1/store/orders/3/ship',
    '/v1/store/inventory': '/v1/inventory',
    '/v1/category/': '/v1/categories',
    '/openapi.yaml': '/openapi.json',
    '/docs/index.html': '/docs',
    '/health': '/health/live or /health/ready or /guides/health',
    '/healthz': '/health/live or /health/ready or /guides/health',
  }
  for (const [path, near] of Object.entries(meant)) {
    const key = path === '/v1/pets/' ? undefined : null
    for (const method of ['GET', 'POST']) {
      const response = await api.send(method, path, key === null ? { key } : {})
      if (method === 'POST' && path === '/v1/pets/') continue
      expectError(response, 404, 'not_found')
      const { message } = response.json() as { message: string }
      assert.equal(message, `There is no resource at this path; did you mean ${near}?`)
    }
  }
  for (const path of ['/v1', '/v1/', '/login', '/a/b/c/d/e/f/g/h', `/v1/${'pets'.repeat(99)}`]) {
    const response = await api.get(path, { key: null })
    expectError(response, 404, 'not_found')
    assert.match(
      response.text,
      /All operations are below \/v1, as in \/v1\/pets; .* \/docs explains/,
    )
  }
  const metrics = await api.get('/metrics', { key: null })
  expectError(metrics, 404, 'not_found')
  assert.match(metrics.text, /PETSTORE_METRICS_ADDRESS sets where they are served/)
})

it('401: a key that is sent in another way is recognised, and the message says how to send it', async () => {
  const { api, key, logLines } = await startApp({ settings: { PETSTORE_LOG_LEVEL: 'trace' } })
  const basic = Buffer.from(`${key}:`).toString('base64')
  const cases: [Sent & { url?: string }, RegExp][] = [
    [{ headers: { authorization: key } }, /^The word Bearer is missing before the API key/],
    [{ headers: { authorization: `Bearer:${key}` } }, /^There is no space between Bearer and/],
    [{ headers: { authorization: 'Bearer ' } }, /^There is no key after Bearer; a variable/],
    [{ headers: { authorization: `Basic ${basic}` } }, /has the scheme Basic, not Bearer\./],
    [{ headers: { authorization: `Token ${key}` } }, /has the scheme Token, not Bearer\./],
    [{ headers: { 'x-api-key': key } }, /^The API key was sent in the header x-api-key\./],
    [{ headers: { 'x-api-key': 'abc' } }, /^The API key was sent in the header x-api-key\./],
    [{ headers: { 'x-other': key } }, /^The API key was sent in the header x-other\./],
    [{ url: `/v1/pets?api_key=${key}` }, /^An API key is not read from the address/],
    [{ url: '/v1/pets?limit=5' }, /^Send your API key/],
  ]
  for (const [{ url = '/v1/pets', ...sent }, message] of cases) {
    const response = await api.get(url, { key: null, ...sent })
    expectError(response, 401, 'missing_api_key')
    const told = (response.json() as { message: string }).message
    assert.match(told, message)
    assert.match(told, /Send your API key in the header Authorization: Bearer <API_KEY>\.$/)
    assert.equal(response.headers['www-authenticate'], 'Bearer realm="petstore"')
    assert.ok(!JSON.stringify(response).includes(key))
  }
  const invalid: [string, RegExp][] = [
    [`Bearer ${key}`, /^The word Bearer is there twice/],
    [`"${key}"`, /without quotes/],
    ['$KEY', /^This stands for an API key/],
    ['<API_KEY>', /^This stands for an API key/],
    ['secret', /^This is not an API key of a pet store: one begins with pet_live_ or pet_test_\.$/],
    [key.slice(0, 20), /^This API key is cut off: it has 20 characters of 47\.$/],
    [`${key}x`, /^This API key was mistyped/],
  ]
  for (const [sent, message] of invalid) {
    const response = await api.get('/v1/pets', { key: sent })
    expectError(response, 401, 'invalid_api_key')
    assert.match((response.json() as { message: string }).message, message)
    assert.ok(!JSON.stringify(response).includes(sent))
  }
  assert.ok(logLines.length > cases.length)
  assert.ok(!logLines.some((line) => line.includes(key.slice(9)) || line.includes(basic)))
})

it('403: the message names the scope that is missing, and those that the key has', async () => {
  const { api, issueKey } = await startApp()
  const key = await issueKey({ scopes: ['pets:read', 'orders:read'] })

  const response = await api.post('/v1/pets', {}, { key })

  expectError(response, 403, 'insufficient_scope')
  assert.equal(
    (response.json() as { message: string }).message,
    'This API key does not have the scope pets:write; its scopes are pets:read, orders:read. Ask the operator of the store for a key with pets:write.',
  )
})

it('400, 404, 405 and 415: each usual mistake in a request gets a plain sentence', async () => {
  const { api } = await startApp()
  await fillStore(api)
  const post = (rawBody: string, type?: string): [string, string, Sent] => [
    'POST',
    '/v1/pets',
    { rawBody, headers: type === undefined ? {} : { 'content-type': type } },
  ]
  const cases: [[string, string, Sent?], string | RegExp][] = [
    [
      ['PUT', '/v1/pets/1', { body: {} }],
      /Allowed methods: .*PATCH\. To change a record, send PATCH/,
    ],
    [
      ['PUT', '/v1/pets', { body: {} }],
      'PUT is not allowed here. Allowed methods: GET, HEAD, OPTIONS, POST.',
    ],
    [['GET', '/v1/pets/abc'], /^There is no pet with the id abc: an id is an integer from 0/],
    [
      post('name=Rex', 'application/x-www-form-urlencoded'),
      /with the header Content-Type: application\/json; without that header curl -d sends/,
    ],
    [post('name=Rex&categoryId=7'), /; send JSON, not a form\.$/],
    [post(''), 'The body is empty; send a JSON object with name and categoryId.'],
    [post('[{}]'), 'The body must be a JSON object with name and categoryId; received an array.'],
    [post("{'name':'Rex'}"), /at line 1, column 2; .*; JSON takes straight double quotes\.$/],
    [post('{name:"Rex"}'), /; JSON takes names in double quotes\.$/],
    [post('{"name":"Rex"} // the dog'), /; JSON has no comments\.$/],
    [post('{"name":"Rex", }'), /; remove the comma before it\.$/],
    [post('{"name":None}'), /; JSON has true, false and null for it\.$/],
    [post('{"name":"Re\nx"}'), /; write a line break in a string as \\n\.$/],
    [post('"{\\"name\\":\\"Rex\\"}"'), /received a string with JSON in it: encode it once\.$/],
    [post('{}'), 'name is missing; categoryId is missing.'],
    [
      post('{"nmae":"Rex","category_id":7}'),
      'name is missing; did you misspell it as nmae? categoryId is missing; did you misspell it as category_id?',
    ],
    [
      post('{"name":"Rex","categoryId":"7"}'),
      'categoryId must be a number, not a string; received "7".',
    ],
    [
      post('{"name":7,"categoryId":7.5}'),
      'name must be a string, not a number; received 7; categoryId must be an integer; received 7.5.',
    ],
    [
      post('{"name":"Rex","categoryId":7,"status":"Avalable"}'),
      'status must be available, pending or sold; received "Avalable"; did you mean available?',
    ],
    [
      post('{"name":"Rex","categoryId":7,"status":null}'),
      'status must be available, pending or sold, or left out; received null.',
    ],
  ]
  for (const [[method, url, sent], message] of cases) {
    const response = await api.send(method, url, sent)
    assert.ok(response.status >= 400 && response.status < 500, response.text)
    const told = (response.json() as { message: string }).message
    if (typeof message === 'string') assert.equal(told, message)
    else assert.match(told, message)
  }
})
