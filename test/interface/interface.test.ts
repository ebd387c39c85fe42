import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { aPet, expectError, startApp } from '../harness/app.ts'

/**
 * The facts of interface 1.0.0 that section 4 does not repeat, as sections 7 and 8 do, written by hand: nothing here comes
 * from the source.
 */

type Schema = Record<string, unknown> & {
  type?: string
  required?: string[]
  properties: Record<string, Record<string, unknown>>
}
type Document = {
  info: { version: string }
  servers: { url: string }[]
  security: unknown
  paths: Record<string, Record<string, Record<string, unknown>>>
  components: {
    schemas: Record<string, Schema>
    securitySchemes: Record<string, Record<string, unknown>>
  }
}
const document = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
) as Document

function schemaNamed(name: string): Schema {
  const schema = document.components.schemas[name]
  assert.ok(schema, name)
  return schema
}

const operations = [
  ['GET', '/v1/pets'],
  ['POST', '/v1/pets'],
  ['GET', '/v1/pets/1'],
] as const
const bodyFor = (method: string) => (method === 'POST' ? { body: aPet() } : {})

describe('interface 1.0.0, section 1: what the service does', () => {
  it('bodies and responses are JSON', async () => {
    const { api } = await startApp()

    for (const [method, url] of operations) {
      const response = await api.send(method, url, bodyFor(method))
      assert.match(response.headers['content-type'] ?? '', /^application\/json\b/)
      assert.doesNotThrow(() => response.json())
    }
  })

  it('production and staging have a base address each, both ending in /v1', () => {
    const urls = document.servers.map(({ url }) => url)
    assert.equal(new Set(urls).size, 2)
    for (const url of urls) assert.match(url, /^https?:\/\/[^/]+\/v1$/)
  })
})

describe('interface 1.0.0, section 2: resources and their fields', () => {
  it('PetStatus is available, pending or sold', async () => {
    assert.deepEqual(schemaNamed('PetStatus').enum, ['available', 'pending', 'sold'])
    assert.equal(schemaNamed('PetStatus').type, 'string')

    const { api } = await startApp()
    for (const status of ['available', 'pending', 'sold']) {
      assert.equal((await api.createPet({ status })).status, status)
    }
    for (const status of ['Available', 'reserved', '', null, 1]) {
      assert.equal((await api.post('/v1/pets', aPet({ status }))).status, 400)
    }
  })

  it('NewPet has name and categoryId, which are required, and status, which is not', () => {
    const { type, required, properties } = schemaNamed('NewPet')
    assert.equal(type, 'object')
    assert.deepEqual(required, ['name', 'categoryId'])
    assert.deepEqual(Object.keys(properties), ['name', 'categoryId', 'status'])
    assert.equal(properties.name?.type, 'string')
    assert.deepEqual(
      [properties.categoryId?.type, properties.categoryId?.format],
      ['integer', 'int64'],
    )
  })

  it('status has no default: absent stays absent', async () => {
    const { api } = await startApp()

    assert.deepEqual(Object.keys(await api.createPet()), ['id', 'name', 'categoryId'])
    assert.deepEqual((await api.get('/v1/pets/1')).json(), { id: 1, name: 'Rex', categoryId: 7 })
  })

  it('Pet is NewPet with an id, an int64 that is required and unique', async () => {
    const { required, properties } = schemaNamed('Pet')
    assert.deepEqual(required?.toSorted(), ['categoryId', 'id', 'name'])
    assert.deepEqual(Object.keys(properties).sort(), ['categoryId', 'id', 'name', 'status'])
    assert.deepEqual([properties.id?.type, properties.id?.format], ['integer', 'int64'])

    const { api } = await startApp()
    const pets = [await api.createPet(), await api.createPet(), await api.createPet()]
    assert.equal(new Set(pets.map(({ id }) => id)).size, 3)
  })

  it('Error is exactly code, message and status, all of them required', () => {
    const { required, properties } = schemaNamed('Error')
    assert.deepEqual(required?.toSorted(), ['code', 'message', 'status'])
    assert.deepEqual(Object.keys(properties).sort(), ['code', 'message', 'status'])
    assert.deepEqual(
      [properties.code?.type, properties.message?.type, properties.status?.type],
      ['string', 'string', 'integer'],
    )
  })
})

describe('interface 1.0.0, section 3: states and transitions', () => {
  it('a pet has a status or none, and no described operation changes it', async () => {
    const { api } = await startApp()
    const created = [await api.createPet({ status: 'pending' }), await api.createPet()]

    for (const query of ['', '?status=pending', '?limit=1']) await api.get(`/v1/pets${query}`)
    await api.get('/v1/pets/1')

    assert.deepEqual((await api.get('/v1/pets')).json(), created)
  })
})

describe('interface 1.0.0, section 5: authentication', () => {
  it('every operation is secured by an HTTP bearer scheme called bearerAuth', () => {
    const { type, scheme } = document.components.securitySchemes.bearerAuth ?? {}
    assert.deepEqual([type, scheme], ['http', 'bearer'])
    assert.deepEqual(document.security, [{ bearerAuth: [] }])
    for (const path of ['/pets', '/pets/{petId}', '/store/orders']) {
      for (const { security } of Object.values(document.paths[path] ?? {})) {
        assert.equal(security, undefined)
      }
    }
  })

  it('the key is the bearer token of the Authorization header', async () => {
    const { api, key } = await startApp()
    const headers = { authorization: `Bearer ${key}` }

    const accepted = await api.get('/v1/pets', { key: null, headers })
    const elsewhere = await api.get(`/v1/pets?api_key=${key}`, {
      key: null,
      headers: { 'x-api-key': key, cookie: `key=${key}` },
    })

    assert.equal(accepted.status, 200)
    assert.equal(elsewhere.status, 401)
  })
})

describe('interface 1.0.0, section 9: versioning', () => {
  it('the version is 1.0.0, and the path segment /v1 ends each base address', async () => {
    assert.equal(document.info.version, '1.0.0')

    const { api } = await startApp()
    assert.equal((await api.get('/v1/pets')).status, 200)
    assert.equal((await api.get('/pets')).status, 404)
    assert.equal((await api.get('/v2/pets')).status, 404)
  })

  it('GET /pets/{petId} is deprecated and removed on 5 December 2030, the others are not', async () => {
    const { api, clock } = await startApp({ now: '2030-12-05T00:00:00Z' })
    clock.ms += 1
    await api.createPet()

    expectError(await api.get('/v1/pets/1'), 410, 'operation_removed')
    const list = await api.get('/v1/pets')
    assert.equal(list.status, 200)
    assert.equal(list.headers.deprecation, undefined)
    assert.equal(document.paths['/pets/{petId}']?.get?.deprecated, true)
    assert.equal(document.paths['/pets']?.get?.deprecated, undefined)
    assert.equal(document.paths['/pets']?.post?.deprecated, undefined)
  })

  it('the three operations carry no stability marking', () => {
    for (const [path, method] of [
      ['/pets', 'get'],
      ['/pets', 'post'],
      ['/pets/{petId}', 'get'],
    ] as const) {
      const operation = document.paths[path]?.[method]
      assert.ok(operation)
      assert.equal(operation['x-stability'], undefined)
    }
  })
})
