import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp } from '../../../test/harness/app.ts'
import { openRequests, requests } from '../../../test/harness/operations.ts'

const problem = 'application/problem+json'

it('400: problem details on request, with a JSON pointer to each member', async () => {
  const { api } = await startApp()

  const response = await api.post('/v1/pets', { name: ' ' }, { headers: { accept: problem } })

  assert.equal(response.status, 400)
  assert.equal(response.headers['content-type'], `${problem}; charset=utf-8`)
  const { detail, errors, ...rest } = response.json() as {
    detail: string
    errors: { pointer: string; detail: string }[]
  }
  assert.deepEqual(rest, {
    type: 'urn:petstore:error:invalid_body',
    title: 'The body is invalid',
    status: 400,
    code: 'invalid_body',
  })
  assert.deepEqual(
    errors.map(({ pointer }) => pointer),
    ['/categoryId', '/name'],
  )
  for (const error of errors) {
    assert.deepEqual(Object.keys(error).sort(), ['detail', 'pointer'])
    assert.ok(detail.includes(error.detail), detail)
  }
})

it('problem details exist for every status, and name parameters', async () => {
  const { api } = await startApp({ now: '2030-12-05T00:00:00Z' })
  const headers = { accept: `text/html, ${problem};q=0.5` }

  for (const [method, url, sent, status, code] of [
    ['GET', '/v1/pets?limit=0', {}, 400, 'invalid_parameter'],
    ['GET', '/v1/pets?cursor=x', {}, 400, 'invalid_cursor'],
    ['GET', '/v1/pets', { key: null }, 401, 'missing_api_key'],
    ['GET', '/v1/nothing', {}, 404, 'not_found'],
    ['DELETE', '/v1/pets', {}, 405, 'method_not_allowed'],
    ['GET', '/v1/pets/1', {}, 410, 'operation_removed'],
  ] as const) {
    const response = await api.send(method, url, { ...sent, headers })
    const body = response.json() as Record<string, unknown>
    assert.equal(response.status, status)
    assert.equal(response.headers['content-type'], `${problem}; charset=utf-8`)
    assert.equal(body.code, code)
    assert.equal(body.type, `urn:petstore:error:${code}`)
    assert.equal(body.message, undefined)
  }
  const response = await api.get('/v1/pets?limit=0', { headers })
  const { errors } = response.json() as { errors: { parameter: string }[] }
  assert.equal(errors[0]?.parameter, 'limit')
})

it('400: problem details need their media type in Accept, ranked at least as high as JSON', async () => {
  const { api } = await startApp()
  const json = 'application/json'

  for (const [accept, isProblem] of [
    [`${json}, ${problem}`, true],
    [`${json};q=0.9, ${problem}`, true],
    [`${json}, ${problem};q=0.9`, false],
    [`${json};q=0.5, ${problem};q=0.5`, true],
    [`${problem};q=0.5, */*`, false],
    [`${problem};q=0.5, application/*;q=0.8`, false],
    [`${problem};q=0.5, ${json};q=0.2, application/*;q=0.8, */*`, true],
    [`${problem};q=0.1, ${json};q=0`, true],
    [`${problem};q=0, ${json};q=0`, false],
    [`application/*, */*`, false],
    [`Application/Problem+JSON ; Q=0.8, text/html`, true],
    [`${json};x=", ${problem}"`, false],
    [`${json};x=",";q=0.1, ${problem};y="\\",";q=0.2`, true],
  ] as const) {
    const bad = await api.get('/v1/pets?limit=0', { headers: { accept } })
    const expected = isProblem ? problem : json
    assert.equal(bad.headers['content-type'], `${expected}; charset=utf-8`, accept)
  }
})

it('400: Host is not the name of a host, on every path', async () => {
  const { api } = await startApp()
  const headers = { host: 'two hosts' }

  for (const { method, url } of [...requests, ...openRequests, { method: 'PUT', url: '/' }]) {
    expectError(await api.send(method, url, { headers }), 400, 'invalid_request')
  }
})

it('every response forbids content sniffing, and storing unless it has an entity tag', async () => {
  const { api } = await startApp()

  const answers = [
    await api.post('/v1/pets', { name: 'Rex', categoryId: 7 }),
    await api.get('/v1/pets/1'),
    await api.get('/v1/pets'),
    await api.get('/v1/pets?id=1'),
    await api.get('/v1/pets/2'),
    await api.get('/v1/pets/%ff'),
    await api.get('/v1/nothing'),
    await api.send('OPTIONS', '/v1/pets'),
    await api.get('/health/live'),
    await api.get('/v1/openapi.json'),
  ]

  for (const { headers } of answers) {
    assert.equal(headers['x-content-type-options'], 'nosniff')
    const kept = headers.etag === undefined ? 'no-store' : 'private, no-cache'
    assert.equal(headers['cache-control'], kept)
  }
  assert.equal(answers.filter(({ headers }) => headers.etag !== undefined).length, 4)
})

it('an error repeats no key that stands where it does not belong', async () => {
  const { api, key } = await startApp()
  const wrong = {
    path: await api.get(`/v1/pets/${key}`),
    value: await api.get(`/v1/pets?status=${key}`),
    name: await api.get(`/v1/pets?${key}=1`, { headers: { prefer: 'handling=strict' } }),
    ignored: await api.get(`/v1/pets?${key}=1`),
    type: await api.post('/v1/pets', {}, { headers: { 'content-type': key } }),
    member: await api.post('/v1/pets', { [key]: 1 }, { headers: { accept: problem } }),
    text: await api.post('/v1/pets', { name: 'Rex', categoryId: 1, status: key }),
  }

  for (const [place, { text, headers }] of Object.entries(wrong)) {
    const answer = text + headers['petstore-ignored']
    assert.ok(!answer.includes(key.slice(9, 20)), `${place}: ${answer}`)
  }
})
