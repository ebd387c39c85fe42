import assert from 'node:assert/strict'
import { it } from 'node:test'
import { aPet, expectError } from '../harness/app.ts'
import { startListening } from './start-listening.ts'

const body = JSON.stringify(aPet())
const length = `Content-Length: ${body.length}\r\n`

it('a header that is sent twice is refused, or both values count', async () => {
  const { api, key, exchange, get, post, expectServes } = await startListening()
  await api.createPet()
  const tag = (await api.get('/v1/pets/1')).headers.etag ?? ''
  const list = (headers: string, target?: string) =>
    exchange(get(headers, target), 'GET', target ?? '/v1/pets')
  const create = (headers: string) => exchange(post(headers, body), 'POST', '/v1/pets')

  expectError(await list(`Authorization: Bearer ${key}\r\n`), 401, 'invalid_api_key')
  const json = 'Content-Type: application/json\r\n'
  expectError(await create(length + json + json), 415, 'unsupported_media_type')
  const identity = 'Content-Encoding: identity\r\n'
  expectError(await create(length + identity + identity), 415, 'unsupported_media_type')
  expectError(await create(length + length), 400, 'invalid_request')
  const chunked = 'Transfer-Encoding: chunked\r\n'
  expectError(await create(chunked + chunked), 400, 'invalid_request')
  expectError(await list('Host: petstore.test\r\n'), 400, 'invalid_request')

  const accepts = 'Accept: application/json\r\nAccept: application/problem+json\r\n'
  const problem = await list(accepts, '/v1/pets?limit=0')
  assert.equal(problem.headers['content-type'], 'application/problem+json; charset=utf-8')
  const tags = `If-None-Match: "other"\r\nIf-None-Match: ${tag}\r\n`
  assert.equal((await list(tags, '/v1/pets?id=1')).status, 304)
  const preferences = 'Prefer: respond-async\r\nPrefer: count=exact\r\n'
  assert.equal((await list(preferences)).headers['x-total-count'], '1')
  const ids = await list('X-Request-Id: one\r\nX-Request-Id: two\r\n')
  assert.doesNotMatch(ids.headers['x-request-id'] ?? '', /one|two/)
  await expectServes(1)
})

const jsonTypes = [
  ['application/json', 'APPLICATION/JSON', 'Application/Json ; Charset="UTF-8"', ''],
  ['application/json;charset=utf-8', 'application/json; charset=UTF8', 'application/json;'],
  ['application/json; version=1', 'application/json;\tcharset=utf-8; x="y"', 'application/json ;;'],
].flat()

const otherTypes = [
  [
    'application/json; charset=latin1',
    'application/json;charset=utf-16',
    'application/json;charset=',
  ],
  ['application/json; charset=utf-8; charset=utf-7', "application/json; charset='utf-8'"],
  ['application/json charset=utf-8', 'application/json, application/json', 'application/json,'],
  [
    'application/problem+json',
    'text/json',
    'text/plain',
    'text/html; charset=utf-8',
    'application/xml',
  ],
  ['\xe9', 'application/json\xe9', '"application/json"', 'application /json', 'x'.repeat(10_000)],
].flat()

it('201 or 415: Content-Type of a body in every spelling', async () => {
  const { exchange, post, expectServes } = await startListening()

  for (const type of jsonTypes) {
    const request = post(`${length}Content-Type: ${type}\r\n`, body)
    assert.equal((await exchange(request, 'POST', '/v1/pets')).status, 201, type)
  }
  for (const type of otherTypes) {
    const request = post(`${length}Content-Type: ${type}\r\n`, body)
    const answer = await exchange(request, 'POST', '/v1/pets')
    expectError(answer, 415, 'unsupported_media_type')
    assert.match(answer.text, /Send the body as application\/json in UTF-8/)
  }
  await expectServes(jsonTypes.length)
})

it('201 or 415: a compressed body is refused before it is read', async () => {
  const { exchange, post, expectServes } = await startListening()

  for (const coding of ['gzip', 'br', 'deflate', 'zstd', 'x', 'gzip, identity', 'identity;q=1']) {
    const request = post(`${length}Content-Encoding: ${coding}\r\n`, body)
    const answer = await exchange(request, 'POST', '/v1/pets')
    expectError(answer, 415, 'unsupported_media_type')
    assert.match(answer.text, /without Content-Encoding/)
  }
  for (const coding of ['identity', 'Identity', '']) {
    const request = post(`${length}Content-Encoding: ${coding}\r\n`, body)
    assert.equal((await exchange(request, 'POST', '/v1/pets')).status, 201)
  }
  await expectServes(3)
})

it('200 or 400: Host is one name or address, with or without a port', async () => {
  const { key, exchange, expectServes } = await startListening()
  const ask = (host: string, version = '1.1') =>
    exchange(
      `GET /v1/pets HTTP/${version}\r\n${host}Authorization: Bearer ${key}\r\n\r\n`,
      'GET',
      '/v1/pets',
    )

  for (const host of [
    ['petstore.test', 'PETSTORE.TEST.', 'a', 'a:1', 'a:', 'a:65535', '127.0.0.1:8080', '[::1]'],
    ['[::1]:8080', 'a_b.test', 'xn--tst-qla.test'],
  ].flat()) {
    assert.equal((await ask(`Host: ${host}\r\n`)).status, 200, host)
  }
  for (const host of [
    ['', 'a b', 'a,b', 'a/b', 'user@a', 'http://a', 'a:b', 'a:65536'],
    ['::1', '[::1', '256.1.1.1', 'a\\b', 'a<b>', '\xe9.test'],
  ].flat()) {
    expectError(await ask(`Host: ${host}\r\n`), 400, 'invalid_request')
  }
  expectError(await ask(''), 400, 'invalid_request')
  expectError(await ask('Host: a\r\nHost: a\r\n', '1.0'), 400, 'invalid_request')
  assert.equal((await ask('', '1.0')).status, 200)
  await expectServes()
})

it('200 or 304: Authorization and If-None-Match in every spelling', async () => {
  const { api, key, exchange, get, expectServes } = await startListening()
  await api.createPet()
  const tag = (await api.get('/v1/pets/1')).headers.etag
  const bare = (headers: string) =>
    exchange(`GET /v1/pets HTTP/1.1\r\nHost: a\r\n${headers}\r\n`, 'GET', '/v1/pets')
  const read = (headers: string) => exchange(get(headers, '/v1/pets/1'), 'GET', '/v1/pets/1')

  for (const value of [`bearer ${key}`, `BEARER   ${key}`, `Bearer ${key} `]) {
    assert.equal((await bare(`Authorization: ${value}\r\n`)).status, 200)
  }
  for (const value of ['*', `W/${tag}`, `"a", ${tag}`, `,,${tag},`, ` ${tag}\t`]) {
    assert.equal((await read(`If-None-Match: ${value}\r\n`)).status, 304, value)
  }
  for (const value of [
    '',
    '"',
    'W/',
    '**',
    '"*"',
    String(tag).slice(1, -1),
    '\xff',
    ','.repeat(9_000),
  ]) {
    assert.equal((await read(`If-None-Match: ${value}\r\n`)).status, 200, value)
  }
  await expectServes(1)
})
