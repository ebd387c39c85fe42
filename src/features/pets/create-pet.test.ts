import assert from 'node:assert/strict'
import { it } from 'node:test'
import { aPet, expectError, startApp } from '../../../test/harness/app.ts'

it('201: adds a pet and returns it with its id; it can be read back', async () => {
  const { api } = await startApp()

  const response = await api.post(
    '/v1/pets',
    aPet({ name: 'Rex', categoryId: 7, status: 'pending' }),
  )

  assert.equal(response.status, 201)
  assert.deepEqual(response.json(), { id: 1, name: 'Rex', categoryId: 7, status: 'pending' })
  assert.equal(response.headers.location, 'http://petstore.test/v1/pets/1')
  const read = await api.get('/v1/pets/1')
  assert.equal(read.text, response.text)
  assert.equal(read.headers.etag, response.headers.etag)
})

it('201: an omitted status stays absent', async () => {
  const { api } = await startApp()

  const response = await api.post('/v1/pets', aPet())

  assert.deepEqual(response.json(), { id: 1, name: 'Rex', categoryId: 7 })
  assert.doesNotMatch(response.text, /status|null/)
  assert.equal((await api.get('/v1/pets')).text, `[${response.text}]`)
})

it('201: unknown members are ignored, also an id', async () => {
  const { api } = await startApp()
  await api.createPet({ name: 'First' })

  const response = await api.post(
    '/v1/pets',
    aPet({ id: 1, __proto__x: 1, owner: { name: 'Ann' } }),
  )

  assert.deepEqual(response.json(), { id: 2, name: 'Rex', categoryId: 7 })
  assert.match((await api.get('/v1/pets/1')).text, /First/)
})

it('400: reports all problems at once, and stores nothing', async () => {
  const { api } = await startApp()

  const response = await api.post('/v1/pets', { name: '', categoryId: '7', status: null })

  expectError(response, 400, 'invalid_body')
  assert.match(
    response.text,
    /name must be.*categoryId must be a number, not a string; received \\"7\\".*status must be.*received null/,
  )
  assert.equal((await api.get('/v1/pets')).text, '[]')
})

it('201: the Location can be followed, whatever Host the request had', async () => {
  const { api } = await startApp({ settings: { PETSTORE_PUBLIC_URL: undefined } })

  const response = await api.post('/v1/pets', aPet(), { headers: { host: '127.0.0.1:4711' } })

  assert.equal(response.headers.location, 'http://127.0.0.1:4711/v1/pets/1')
  assert.equal(response.headers['cache-control'], 'private, no-cache')
  assert.equal(response.headers.deprecation, undefined)
})
