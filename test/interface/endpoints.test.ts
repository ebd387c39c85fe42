import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { aPet, expectError, startApp } from '../harness/app.ts'

/** Every fact of section 4 of interface 1.0.0, written by hand: nothing here comes from the source. */

type Parameter = { name: string; in: string; required: boolean; schema: Record<string, unknown> }
type Operation = {
  operationId: string
  tags: string[]
  parameters: (Parameter | { $ref: string })[]
  requestBody?: { required: boolean; content: Record<string, unknown> }
  responses: Record<string, unknown>
}
const { paths, components } = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
) as {
  paths: Record<string, Record<string, Operation>>
  components: { parameters: Record<string, Parameter> }
}

function operationAt(path: string, method: string): Operation {
  const operation = paths[path]?.[method]
  assert.ok(operation, `${method} ${path}`)
  return operation
}

const parametersOf = (operation: Operation) =>
  operation.parameters.map((parameter) =>
    'name' in parameter
      ? parameter
      : (components.parameters[parameter.$ref.split('/').at(-1) ?? ''] as Parameter),
  )
const namesOf = (value: unknown) => Object.keys(value as object).sort()

describe('interface 1.0.0, section 4: endpoints', () => {
  it('all three require authentication and are tagged animals', async () => {
    const { api } = await startApp()
    await api.createPet()

    for (const [method, url, path] of [
      ['GET', '/v1/pets', '/pets'],
      ['POST', '/v1/pets', '/pets'],
      ['GET', '/v1/pets/1', '/pets/{petId}'],
    ] as const) {
      const body = method === 'POST' ? aPet() : undefined
      const refused = await api.send(method, url, { key: null, body })
      assert.equal(refused.status, 401, `${method} ${url}`)
      assert.deepEqual(operationAt(path, method.toLowerCase()).tags, ['animals'])
    }
    assert.equal((await api.get('/v1/pets')).text.match(/"id"/g)?.length, 1)
  })
})

describe('interface 1.0.0, section 4.1: listPets, GET /pets', () => {
  const operation = operationAt('/pets', 'get')

  it('is named listPets', () => assert.equal(operation.operationId, 'listPets'))

  it('takes limit, an integer from 1 to 100, 20 by default, and does not require it', async () => {
    const limit = parametersOf(operation).find(({ name }) => name === 'limit')
    const { type, minimum, maximum, default: byDefault } = limit?.schema ?? {}
    assert.deepEqual([limit?.in, limit?.required, type], ['query', false, 'integer'])
    assert.deepEqual([minimum, maximum, byDefault], [1, 100, 20])

    const { api } = await startApp()
    for (let made = 0; made < 101; made++) await api.createPet()
    const countOf = async (query: string) =>
      ((await api.get(`/v1/pets${query}`)).json() as unknown[]).length
    assert.equal(await countOf(''), 20)
    assert.equal(await countOf('?limit=1'), 1)
    assert.equal(await countOf('?limit=100'), 100)
    for (const limit of ['0', '101', 'x']) {
      assert.equal((await api.get(`/v1/pets?limit=${limit}`)).status, 400)
    }
  })

  it('takes status, a PetStatus that filters, and does not require it', async () => {
    const status = parametersOf(operation).find(({ name }) => name === 'status')
    assert.deepEqual([status?.in, status?.required], ['query', false])

    const { api } = await startApp()
    for (const status of ['available', 'pending', 'sold', undefined]) {
      await api.createPet(status === undefined ? {} : { status })
    }
    for (const [index, status] of ['available', 'pending', 'sold'].entries()) {
      const response = await api.get(`/v1/pets?status=${status}`)
      assert.deepEqual(response.json(), [{ id: index + 1, name: 'Rex', categoryId: 7, status }])
    }
    assert.equal((await api.get('/v1/pets')).text.match(/"id"/g)?.length, 4)
    assert.equal((await api.get('/v1/pets?status=lost')).status, 400)
  })

  it('takes no request body', () => assert.equal(operation.requestBody, undefined))

  it('returns 200 with Pets and 401 with an Error', async () => {
    const { api } = await startApp()
    await api.createPet({ status: 'sold' })

    const response = await api.get('/v1/pets')

    assert.equal(response.status, 200)
    assert.equal(response.text, '[{"id":1,"name":"Rex","categoryId":7,"status":"sold"}]')
    expectError(await api.get('/v1/pets', { key: null }), 401, 'missing_api_key')
    expectError(await api.get('/v1/pets', { key: 'x' }), 401, 'invalid_api_key')
    for (const status of ['200', '401']) assert.ok(operation.responses[status])
  })
})

describe('interface 1.0.0, section 4.2: createPet, POST /pets', () => {
  const operation = operationAt('/pets', 'post')

  it('is named createPet', () => assert.equal(operation.operationId, 'createPet'))

  it('requires a body of application/json', async () => {
    assert.equal(operation.requestBody?.required, true)
    assert.deepEqual(namesOf(operation.requestBody?.content), ['application/json'])

    const { api } = await startApp()
    const headers = { 'content-type': 'application/json' }
    assert.equal((await api.send('POST', '/v1/pets', { headers })).status, 400)
  })

  it('returns 201 with the Pet, including the assigned id', async () => {
    const { api } = await startApp()

    const response = await api.post('/v1/pets', { name: 'Ida', categoryId: 3, status: 'pending' })

    assert.equal(response.status, 201)
    assert.equal(response.text, '{"id":1,"name":"Ida","categoryId":3,"status":"pending"}')
  })

  it('returns 400 with an Error when required members are missing or values are invalid', async () => {
    const { api } = await startApp()

    for (const body of [
      {},
      { name: 'Rex' },
      { categoryId: 7 },
      { name: 7, categoryId: 7 },
      { name: 'Rex', categoryId: '7' },
      { name: 'Rex', categoryId: 7.5 },
      { name: 'Rex', categoryId: 7, status: 'lost' },
    ]) {
      expectError(await api.post('/v1/pets', body), 400, 'invalid_body')
    }
    assert.equal((await api.get('/v1/pets')).text, '[]')
  })

  it('returns 401 with an Error', async () => {
    const { api } = await startApp()

    expectError(await api.post('/v1/pets', aPet(), { key: null }), 401, 'missing_api_key')
    expectError(await api.post('/v1/pets', aPet(), { key: 'x' }), 401, 'invalid_api_key')
    for (const status of ['201', '400', '401']) assert.ok(operation.responses[status])
  })
})

describe('interface 1.0.0, section 4.3: getPet, GET /pets/{petId}', () => {
  const operation = operationAt('/pets/{petId}', 'get')

  it('is named getPet and takes no body', () => {
    assert.equal(operation.operationId, 'getPet')
    assert.equal(operation.requestBody, undefined)
  })

  it('takes petId, an int64 that is required', async () => {
    const [petId] = parametersOf(operation)
    const { type, format } = petId?.schema ?? {}
    assert.deepEqual(
      [petId?.name, petId?.in, petId?.required, type, format],
      ['petId', 'path', true, 'integer', 'int64'],
    )

    const { api } = await startApp({ firstId: 9223372036854775806n })
    const created = await api.post('/v1/pets', aPet())
    assert.equal((await api.get('/v1/pets/9223372036854775806')).text, created.text)
    assert.equal((await api.get('/v1/pets/9223372036854775807')).status, 404)
  })

  it('returns 200 with the Pet, 401 and 404 with an Error', async () => {
    const { api } = await startApp()
    const created = await api.post('/v1/pets', aPet())

    const response = await api.get('/v1/pets/1')

    assert.equal(response.status, 200)
    assert.equal(response.text, created.text)
    expectError(await api.get('/v1/pets/1', { key: null }), 401, 'missing_api_key')
    expectError(await api.get('/v1/pets/1', { key: 'x' }), 401, 'invalid_api_key')
    expectError(await api.get('/v1/pets/2'), 404, 'not_found')
    for (const status of ['200', '401', '404']) assert.ok(operation.responses[status])
  })

  it('is deprecated, removed on 5 December 2030, and replaced by GET /pets with status', async () => {
    const { api, clock } = await startApp({ now: '2030-12-04T23:59:59.999Z' })
    await api.createPet({ status: 'sold' })

    const last = await api.get('/v1/pets/1')
    clock.ms += 1
    const removed = await api.get('/v1/pets/1')

    assert.equal(last.status, 200)
    assert.equal(last.headers.sunset, 'Thu, 05 Dec 2030 00:00:00 GMT')
    assert.equal(removed.status, 410)
    assert.match(removed.text, /GET \/pets with status/)
    assert.equal((await api.get('/v1/pets?status=sold')).text, `[${last.text}]`)
    const { deprecated, description } = operation as Operation & Record<string, unknown>
    assert.equal(deprecated, true)
    assert.match(String(description), /5 December 2030/)
  })
})

describe('interface 1.0.0, section 4.4: store orders, GET /store/orders', () => {
  it('exists, takes a key, and its interactive test panel is disabled', async () => {
    const operation = operationAt('/store/orders', 'get') as Operation & Record<string, unknown>
    assert.equal(operation['x-hideTryItPanel'], true)

    const { api } = await startApp()
    assert.equal((await api.get('/v1/store/orders')).status, 200)
    assert.equal((await api.get('/v1/store/orders', { key: null })).status, 401)
  })
})
