import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { anyCodePoint } from '../../../test/harness/any-code-point.ts'
import { aPet, expectError, startApp } from '../../../test/harness/app.ts'
import { amount } from '../../../test/harness/extent.ts'
import { fillStore, requests, requestsByStore } from '../../../test/harness/operations.ts'

const strict = { prefer: 'handling=strict' }
const ignoredHeader = 'petstore-ignored'
const appliedHeader = 'preference-applied'

/** The address with one more parameter, that no operation knows. */
const withStats = (url: string) => `${url}${url.includes('?') ? '&' : '?'}stats=1`

const mistypedOf = (body?: object) => body && { ...body, colour: 'red' }

it('400: every operation refuses unknown members and parameters on request', async () => {
  const { api } = await startFilled()

  for (const { operationId, method, url, body, file } of requests) {
    const mistyped = mistypedOf(body)
    const refused = await api.send(method, withStats(url), { body, file, headers: strict })
    expectError(refused, 400, 'invalid_parameter')
    assert.match(refused.text, new RegExp(`stats is not a parameter of ${operationId}; `))
    assert.equal(refused.headers[appliedHeader], 'handling=strict')
    assert.equal(refused.headers[ignoredHeader], undefined)
    if (mistyped) {
      const refusedBody = await api.send(method, url, { body: mistyped, headers: strict })
      expectError(refusedBody, 400, 'invalid_body')
      assert.match(
        refusedBody.text,
        /colour is not a member of New|colour is not a member of \w+Change|colour is not a member of PetBatch/,
      )
      assert.equal(refusedBody.headers[appliedHeader], 'handling=strict')
    }
  }
})

it('2xx: every operation names unknown members and parameters', async () => {
  for (const sent of requestsByStore) {
    const { api } = await startFilled()

    for (const { operationId, method, url, status, body, file } of sent) {
      const mistyped = mistypedOf(body)
      const ignored = await api.send(method, withStats(url), { body: mistyped, file })
      assert.equal(ignored.status, status, `${operationId}: ${ignored.text}`)
      assert.equal(ignored.headers[ignoredHeader], mistyped ? 'stats, colour' : 'stats')
      assert.equal(ignored.headers[appliedHeader], undefined)
    }
  }
})

it('2xx: every operation takes requests without unknown names where they are to be refused', async () => {
  for (const sent of requestsByStore) {
    const { api } = await startFilled()

    for (const { operationId, method, url, status, body, file } of sent) {
      const strictly = await api.send(method, url, { body, file, headers: strict })
      assert.equal(strictly.status, status, `${operationId}: ${strictly.text}`)
      assert.equal(strictly.headers[appliedHeader], 'handling=strict')
      assert.equal(strictly.headers[ignoredHeader], undefined)
    }
  }
})

it('201: a record that is stored for the first time names unknown names too, and tells the scopes', async () => {
  const { api } = await startFilled()
  const stored = requests.filter(({ url, body, file }) => isPart.test(url) && (body ?? file))
  assert.equal(stored.length, 3)

  for (const { operationId, method, url, body, file } of stored) {
    await api.send('DELETE', url)
    const named = { prefer: 'scopes' }
    const ignored = await api.send(method, withStats(url), { body, file, headers: named })
    await api.send('DELETE', url)
    const strictly = await api.send(method, url, { body, file, headers: strict })

    assert.deepEqual([ignored.status, strictly.status], [201, 201], operationId)
    assert.equal(ignored.headers[ignoredHeader], 'stats')
    assert.match(String(ignored.headers['petstore-scopes']), /pets:write/)
    assert.equal(strictly.headers[appliedHeader], 'handling=strict')
  }
})

/** What a pet has one of at most. */
const isPart = /^\/v1\/pets\/1\/(details|photo)$/

async function startFilled() {
  const app = await startApp()
  await fillStore(app.api)
  return app
}

it('400: the message has the nearest known name, or all names; unknown names are reported with all other problems', async () => {
  const { api } = await startApp()
  const get = (url: string) => api.get(url, { headers: strict })
  const cases: [string, RegExp][] = [
    ['/v1/pets?stats=sold', /"stats is not a parameter of listPets; did you mean status\?"/],
    ['/v1/pets?Limit=5', /did you mean limit\?/],
    [
      '/v1/pets?page=2',
      /page is not a parameter of listPets; it takes limit, cursor, after, sort, .* and search\./,
    ],
    ['/v1/pets/1?a%20b=1', /\\"a b\\" is not a parameter of getPet; it takes none\./],
    [
      '/v1/pets?limit=0&stats=sold',
      /limit must be an integer from 1 to 100; received \\?"?0.*stats is not/,
    ],
    ['/v1/pets?cursor=x&stats=sold', /stats is not a parameter.*cursor must be/],
    ['/v1/pets?%ff=1', /%ff is not a parameter|\\"%ff\\" is not a parameter/],
  ]
  for (const [url, message] of cases) {
    const response = await get(url)
    expectError(response, 400, 'invalid_parameter')
    assert.match(response.text, message)
  }

  const body = await api.post(
    '/v1/pets',
    { nam: 'Rex', categoryId: '7', __proto__x: 1 },
    { headers: strict },
  )
  expectError(body, 400, 'invalid_body')
  assert.match(body.text, /nam is not a member of NewPet; did you mean name\?/)
  assert.equal((await api.get('/v1/pets')).text, '[]')

  const problem = await api.get('/v1/pets?stats=sold', {
    headers: { ...strict, accept: 'application/problem+json' },
  })
  assert.deepEqual((problem.json() as { errors: unknown }).errors, [
    { parameter: 'stats', detail: 'is not a parameter of listPets; did you mean status?' },
  ])
})

it('200: a 304 and an error name nothing; HEAD names what GET does', async () => {
  const { api } = await startApp()
  await api.createPet()
  const url = '/v1/pets?id=1&stats=1'
  const full = await api.get(url)

  const notModified = await api.get(url, {
    headers: { 'if-none-match': full.headers.etag ?? '', prefer: 'count=exact' },
  })
  const missing = await api.get('/v1/pets/2?stats=1')
  const head = await api.send('HEAD', url)
  const counted = await api.get(url.replace('&stats=1', ''), {
    headers: { prefer: 'handling=strict, count=exact' },
  })

  assert.equal(full.headers[ignoredHeader], 'stats')
  assert.equal(notModified.status, 304)
  assert.equal(missing.status, 404)
  for (const { headers } of [notModified, missing]) {
    assert.equal(headers[ignoredHeader], undefined)
    assert.equal(headers[appliedHeader], undefined)
  }
  assert.equal(head.headers[ignoredHeader], 'stats')
  assert.equal(counted.headers[appliedHeader], 'count=exact, handling=strict')
})

it('201: an ignored member is not part of the request that an Idempotency-Key identifies', async () => {
  const { api } = await startApp()
  const create = (more: object, headers = {}) =>
    api.post('/v1/pets', aPet({ ...more }), { headers: { 'idempotency-key': 'k', ...headers } })

  const refused = await create({ staus: 'sold' }, strict)
  const created = await create({ staus: 'sold' })
  const replayed = await create({ colour: 'red' })
  const plain = await create({}, strict)
  const refusedAgain = await create({ colour: 'red' }, strict)

  expectError(refused, 400, 'invalid_body')
  expectError(refusedAgain, 400, 'invalid_body')
  assert.deepEqual(
    [created, replayed, plain].map(({ status, headers }) => [
      status,
      headers['idempotency-replayed'],
      headers[ignoredHeader],
    ]),
    [
      [201, undefined, 'staus'],
      [201, 'true', 'colour'],
      [201, 'true', undefined],
    ],
  )
  assert.equal(replayed.text, created.text)
  assert.equal(refusedAgain.headers['idempotency-replayed'], undefined)
  assert.equal((await api.get('/v1/pets')).text, `[${created.text}]`)
})

it('201: whatever the names are, the header is ASCII with at most ten names, and adds no other header', async () => {
  const { api } = await startApp()
  const expectedHeaders = Object.keys(
    (await api.post('/v1/pets', aPet({ extra: 1 }))).headers,
  ).sort()
  const name = fc.oneof(
    fc.string({ unit: anyCodePoint }),
    fc.string({ unit: fc.constantFrom('\r', '\n', ',', ' ', '%', 'é', '\ud800', '"', ':', 'a') }),
    fc.constantFrom('__proto__', 'constructor', 'x'.repeat(60_000), '\r\nset-cookie: a=b'),
  )
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(name, { minLength: 1, maxLength: 14 }), async (names) => {
      const unknown = names.filter((one) => !['name', 'categoryId', 'status'].includes(one))
      fc.pre(unknown.length > 0)
      const members = unknown.map((one) => `,${JSON.stringify(one)}:1`).join('')
      const rawBody = `{"name":"Rex","categoryId":7${members}}`

      const response = await api.send('POST', '/v1/pets', { rawBody })

      assert.equal(response.status, 201)
      assert.deepEqual(Object.keys(response.headers).sort(), expectedHeaders)
      const value = response.headers[ignoredHeader] ?? ''
      assert.match(value, /^[\x21-\x7e ]*$/)
      const named = value.split(', ').map(decodeURIComponent)
      assert.ok(named.length <= 10)
      const beginnings = unknown.map((one) => one.slice(0, 40).toWellFormed())
      assert.ok(
        named.every((one) => beginnings.includes(one)),
        value,
      )
      if (unknown.length <= 10) assert.equal(named.length, new Set(beginnings).size)
    }),
    { numRuns: amount({ quick: 3, full: 30 }) },
  )
})
