import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp } from '../../test/harness/app.ts'

const allowed = {
  '/v1/pets': 'GET, HEAD, OPTIONS, POST',
  '/v1/pets/1': 'DELETE, GET, HEAD, OPTIONS, PATCH',
  '/v1/pets/x': 'DELETE, GET, HEAD, OPTIONS, PATCH',
  '/v1/store/orders/1': 'DELETE, GET, HEAD, OPTIONS',
  '/v1/store/orders/1/ship': 'OPTIONS, POST',
  '/v1/inventory': 'GET, HEAD, OPTIONS',
  '/v1/inventory/1': 'GET, HEAD, OPTIONS, PATCH',
  '/v1/openapi.json': 'GET, HEAD, OPTIONS',
  '/.well-known/security.txt': 'GET, HEAD, OPTIONS',
  '/health/ready': 'GET, HEAD, OPTIONS',
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY']

it('204: OPTIONS lists the methods of a path, without a key', async () => {
  const { api } = await startApp()

  for (const [url, allow] of Object.entries(allowed)) {
    const response = await api.send('OPTIONS', `${url}?limit=0`, { key: null })
    assert.equal(response.status, 204, url)
    assert.equal(response.headers.allow, allow, url)
    assert.equal(response.text, '')
    assert.equal(response.headers.deprecation, undefined)
  }
})

it('405: other methods are refused, with those that are allowed, without a key', async () => {
  const { api } = await startApp()

  for (const [url, allow] of Object.entries(allowed)) {
    for (const method of methods.filter((one) => !allow.split(', ').includes(one))) {
      const response = await api.send(method, url, { key: null })
      assert.equal(response.status, 405, `${method} ${url}`)
      if (method !== 'HEAD') expectError(response, 405, 'method_not_allowed')
      assert.equal(response.headers.allow, allow, `${method} ${url}`)
    }
  }
})

it('HEAD gets the response of GET without the body', async () => {
  const { api, key, issueKey } = await startApp()
  const { headers: created } = await api.post('/v1/pets', { name: 'Rex', categoryId: 7 })
  const writer = await issueKey({ scopes: ['pets:write'] })
  const current = { 'if-none-match': created.etag ?? '' }

  for (const [url, sent, status] of [
    ['/v1/pets', {}, 200],
    ['/v1/pets?id=1', { headers: current }, 304],
    ['/v1/pets', { headers: { prefer: 'count=exact' } }, 200],
    ['/v1/pets?limit=0', {}, 400],
    ['/v1/pets', { key: null }, 401],
    ['/v1/pets', { key: writer }, 403],
    ['/v1/pets/1', {}, 200],
    ['/v1/pets/1', { headers: current }, 304],
    ['/v1/pets/2', {}, 404],
    ['/v1/inventory', { headers: { prefer: 'count=exact' } }, 200],
    ['/v1/nothing', {}, 404],
    ['/v1/openapi.json', { key: null }, 200],
    ['/health/ready', { key: null }, 200],
  ] as const) {
    const withKey = { key, ...sent }
    const get = await api.get(url, withKey)
    const head = await api.send('HEAD', url, withKey)
    const label = `${url} ${status}`
    assert.equal(get.status, status, label)
    assert.equal(head.status, status, label)
    assert.equal(head.text, '', label)
    const volatile = { date: '', 'x-request-id': '' }
    assert.deepEqual({ ...head.headers, ...volatile }, { ...get.headers, ...volatile }, label)
  }
})
