import assert from 'node:assert/strict'
import { it } from 'node:test'
import { aPet, expectError, startApp } from '../../test/support/app.ts'

it('201: adds a pet, answers it with its id, and it can be read back', async () => {
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

it('201: a status that was not sent stays absent', async () => {
  const { api } = await startApp()

  const response = await api.post('/v1/pets', aPet())

  assert.deepEqual(response.json(), { id: 1, name: 'Rex', categoryId: 7 })
  assert.doesNotMatch(response.text, /status|null/)
  assert.equal((await api.get('/v1/pets')).text, `[${response.text}]`)
})

it('201: members that are not known are ignored, an id too', async () => {
  const { api } = await startApp()
  await api.createPet({ name: 'First' })

  const response = await api.post(
    '/v1/pets',
    aPet({ id: 1, __proto__x: 1, owner: { name: 'Ann' } }),
  )

  assert.deepEqual(response.json(), { id: 2, name: 'Rex', categoryId: 7 })
  assert.match((await api.get('/v1/pets/1')).text, /First/)
})

it('201: keeps int64 digit for digit', async () => {
  const { api } = await startApp({ firstId: 9007199254740993n })

  const response = await api.send('POST', '/v1/pets', {
    rawBody: '{"name":"Rex","categoryId":-9223372036854775808}',
  })

  assert.equal(
    response.text,
    '{"id":9007199254740993,"name":"Rex","categoryId":-9223372036854775808}',
  )
  assert.equal(
    (await api.get('/v1/pets?categoryId=-9223372036854775808')).text,
    `[${response.text}]`,
  )
  assert.equal((await api.get('/v1/pets/9007199254740992')).status, 404)
})

it('400: says everything that is wrong at once, and stores nothing', async () => {
  const { api } = await startApp()

  const response = await api.post('/v1/pets', { name: '', categoryId: '7', status: null })

  expectError(response, 400, 'invalid_body')
  assert.match(
    response.text,
    /name must be.*categoryId must be.*received \\"7\\".*status must be.*received null/,
  )
  assert.equal((await api.get('/v1/pets')).text, '[]')
})
