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

it('201: keeps every digit of an int64', async () => {
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

it('201: If-Match and If-None-Match do not make a create conditional', async () => {
  const { api } = await startApp()
  const { etag = '' } = (await api.post('/v1/pets', aPet())).headers

  const response = await api.post('/v1/pets', aPet(), {
    headers: { 'if-none-match': `*, ${etag}` },
  })

  assert.equal(response.status, 201)
  assert.deepEqual(response.json(), { id: 2, name: 'Rex', categoryId: 7 })
})

it('201: reads a body without Content-Type, or with application/json in UTF-8', async () => {
  const { api } = await startApp()

  for (const type of [
    undefined,
    '',
    'application/json',
    'Application/JSON ; Charset="UTF-8"',
    'application/json;charset=utf8',
    'application/json; profile=x; charset=utf-8',
  ]) {
    const headers = type === undefined ? {} : { 'content-type': type }
    const response = await api.send('POST', '/v1/pets', {
      rawBody: JSON.stringify(aPet()),
      headers,
    })
    assert.equal(response.status, 201, response.text)
  }
})

it('415: refuses other media types, and the message says what to send', async () => {
  const { api } = await startApp()

  for (const type of [
    'text/plain',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/merge-patch+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'json',
  ]) {
    const headers = { 'content-type': type }
    const response = await api.send('POST', '/v1/pets', {
      rawBody: JSON.stringify(aPet()),
      headers,
    })
    expectError(response, 415, 'unsupported_media_type')
    assert.match(response.text, /Send the body as application\/json in UTF-8/)
  }
  assert.equal((await api.get('/v1/pets')).text, '[]')
})

it('413: reads a body of 65,536 bytes, and refuses one of 65,537', async () => {
  const { api } = await startApp()
  const bodyOf = (length: number) => JSON.stringify(aPet()).padEnd(length, ' ')

  const largest = await api.send('POST', '/v1/pets', { rawBody: bodyOf(65_536) })
  const larger = await api.send('POST', '/v1/pets', { rawBody: bodyOf(65_537) })

  assert.equal(largest.status, 201)
  expectError(larger, 413, 'body_too_large')
  assert.match(larger.text, /65536 bytes/)
})

it('400: a missing body, or invalid JSON with its position', async () => {
  const { api } = await startApp()

  const missing = await api.send('POST', '/v1/pets')
  const empty = await api.send('POST', '/v1/pets', { rawBody: '' })
  const broken = await api.send('POST', '/v1/pets', {
    rawBody: '{"name": "Rex",\n "categoryId" 7}',
  })

  for (const response of [missing, empty, broken]) expectError(response, 400, 'invalid_json')
  assert.match(empty.text, /The body is empty/)
  assert.match(broken.text, /unexpected \\"7\\" at line 2, column 15; expected :/)
})

it('400: a body that is not an object', async () => {
  const { api } = await startApp()

  for (const rawBody of ['[]', 'null', '"Rex"', '7', 'true', `[${JSON.stringify(aPet())}]`]) {
    expectError(await api.send('POST', '/v1/pets', { rawBody }), 400, 'invalid_body')
  }
})
