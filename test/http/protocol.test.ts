import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { ErrorCode } from '../../src/contract/error-codes.ts'
import { aPet, expectError } from '../harness/app.ts'
import { chunks, lastChunk, startListening } from './start-listening.ts'

const body = JSON.stringify(aPet())
const host = 'Host: petstore.test\r\n'
const length = `Content-Length: ${body.length}\r\n`
const chunked = 'Transfer-Encoding: chunked\r\n'

type Requests = Pick<Awaited<ReturnType<typeof startListening>>, 'get' | 'post'>
type Case = { bytes: string; path?: string; status?: number; code?: ErrorCode; isLast?: boolean }

/** The response to each: 400 `invalid_request`, the last on its connection, unless stated otherwise. */
async function expectRefusals(casesOf: (requests: Requests) => Record<string, Case | string>) {
  const { exchange, get, post, expectServes } = await startListening()
  for (const [name, given] of Object.entries(casesOf({ get, post }))) {
    const {
      bytes,
      status = 400,
      code = 'invalid_request',
      isLast = true,
      path,
    } = typeof given === 'string' ? { bytes: given } : given
    const answer = await exchange(bytes, path && 'POST', path)
    expectError(answer, status, code)
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8', name)
    assert.equal(answer.version, 'HTTP/1.1', name)
    assert.equal(answer.headers.connection, isLast ? 'close' : 'keep-alive', name)
    await expectServes()
  }
}

it('400: invalid request lines', () =>
  expectRefusals(({ get }) => ({
    garbage: '\0\x01\x02\xff',
    TLS: `\x16\x03\x01\0\xa5\x01\0\0\xa1\x03\x03${'\0'.repeat(150)}`,
    'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'what only looks like that preface': 'PRI *5HTTP/2.0\r\n\r\nSM\r\n\r\n5\r\nhello\r\n',
    'a method of HTTP/2': get().replace('GET', 'PRI'),
    'a method of RTSP': `DESCRIBE /v1/pets RTSP/1.0\r\n${host}\r\n`,
    'an asterisk with a path': get('', '*v1/pets'),
    'an address of FTP': get('', 'ftp://petstore.test/v1/pets'),
    'HTTP/1.2': get().replace('HTTP/1.1', 'HTTP/1.2'),
    'HTTP/0.9': get().replace('HTTP/1.1', 'HTTP/0.9'),
    'HTTP/2.0': get().replace('HTTP/1.1', 'HTTP/2.0'),
    'no HTTP': get().replace('HTTP/1.1', 'SPDY/1.1'),
    'an unknown method': get().replace('GET', 'FETCH'),
    'a method in lower case': get().replace('GET', 'get'),
    'white space in front': ` ${get()}`,
    'a space in the target': get('', '/v1/pets?status=so ld'),
    'a tab in the target': get('', '/v1/pets?\tx'),
    'UTF-8 in the path': get('', '/v1/pets/\xc3\xa9'),
    'UTF-8 in the query': get('', '/v1/pets?x=\xc3\xa9'),
    'no slash': get('', 'v1/pets'),
    'a fragment': { bytes: get('', '/v1/pets#limit=1'), isLast: false },
    'a fragment after a query': { bytes: get('', '/v1/pets?limit=1#'), isLast: false },
    'a fragment of a whole address': {
      bytes: get('', 'http://petstore.test/v1/pets#limit=1'),
      isLast: false,
    },
    'a fragment where nothing is': { bytes: get('', '/nothing#'), isLast: false },
    'a command of SMTP': 'HELO petstore.test\r\n',
  })))

it('400: invalid header blocks', () =>
  expectRefusals(({ get }) => ({
    'bare line feeds': get().replaceAll('\r\n', '\n'),
    'one bare line feed': get('X-A: 1\nX-B: 2\r\n'),
    'a bare carriage return': get('X-A: 1\rX-B: 2\r\n'),
    'a folded header': get('X-A: 1\r\n 2\r\n'),
    'a header folded with a tab': get('X-A: 1\r\n\t2\r\n'),
    'a space before the colon': get('X-A : 1\r\n'),
    'a space before the name': get().replace('Host', ' Host'),
    'no name': get(': 1\r\n'),
    'no colon': get('X-A\r\n'),
    'NUL in a value': get('X-A: 1\x002\r\n'),
    'a control character in a value': get('X-A: 1\x012\r\n'),
    'a control character in a name': get('X-\x01A: 1\r\n'),
    'UTF-8 in a name': get('X-\xc3\xa9: 1\r\n'),
    'no Host': { bytes: get().replace(host, ''), isLast: false },
    'two Hosts': { bytes: get(host), isLast: false },
    'a Host that is none': { bytes: get().replace('petstore.test', 'pet store'), isLast: false },
    'an expectation that is not known': get('Expect: a-miracle\r\n'),
    'another beside the one that is': get('Expect: 100-continue, a-miracle\r\n'),
  })))

it('400: bodies with no length, or with two', () =>
  expectRefusals(({ post }) => ({
    'a length and chunks': post(length + chunked, chunks(body) + lastChunk),
    'chunks and a length': post(chunked + length, chunks(body) + lastChunk),
    'two lengths': post(`${length}Content-Length: 0\r\n`, body),
    'the same length twice': post(length + length, body),
    'a list of lengths': post(`Content-Length: ${body.length}, ${body.length}\r\n`, body),
    'a negative length': post('Content-Length: -1\r\n', body),
    'a length with a sign': post(`Content-Length: +${body.length}\r\n`, body),
    'a length in hexadecimal': post('Content-Length: 0x1d\r\n', body),
    'a length with a fraction': post('Content-Length: 29.0\r\n', body),
    'a length beyond 64 bits': post('Content-Length: 18446744073709551617\r\n', body),
    'an empty length': post('Content-Length:\r\n', body),
    'a coding that is not known': post('Transfer-Encoding: rot13\r\n', body),
    'a coding that only looks chunked': post('Transfer-Encoding: xchunked\r\n', body),
    'a coding under the chunks': post(
      'Transfer-Encoding: gzip, chunked\r\n',
      chunks(body) + lastChunk,
    ),
    'a coding over the chunks': post('Transfer-Encoding: chunked, gzip\r\n', body),
    'chunks twice': post('Transfer-Encoding: chunked, chunked\r\n', chunks(body) + lastChunk),
    'chunks and the identity': post('Transfer-Encoding: chunked, identity\r\n', body),
  })))

it('400 or 431: invalid chunks, or too many bytes around them', () =>
  expectRefusals(({ get, post }) => ({
    'a size that is none': post(chunked, `zz\r\n${body}\r\n${lastChunk}`),
    'a negative size': post(chunked, `-1\r\n${body}\r\n${lastChunk}`),
    'an empty size': post(chunked, `\r\n${body}\r\n${lastChunk}`),
    'a size with 0x': post(chunked, `0x1d\r\n${body}\r\n${lastChunk}`),
    'a size beyond 64 bits': post(chunked, `10000000000000000\r\n${body}\r\n${lastChunk}`),
    'a size with white space': post(chunked, `1d \r\n${body}\r\n${lastChunk}`),
    'a size that is too small': post(chunked, `1c\r\n${body}\r\n${lastChunk}`),
    'a bare line feed after a size': post(chunked, `1d\n${body}\r\n${lastChunk}`),
    'a broken trailer': post(chunked, `${chunks(body)}0\r\nX A\r\n\r\n`),
    'a huge extension': post(chunked, `1d;${'a'.repeat(20_000)}\r\n${body}\r\n${lastChunk}`),
    'a huge extension with GET': `${get(chunked)}1d;${'a'.repeat(20_000)}\r\n${body}\r\n${lastChunk}`,
    'a huge trailer': {
      bytes: post(chunked, `${chunks(body)}0\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`),
      status: 431,
      code: 'headers_too_large',
    },
  })))

it('431: a header block or a URL that is too large', () =>
  expectRefusals(({ get }) => {
    const bytes = [
      get(`X: ${'a'.repeat(40_000)}\r\n`),
      get('X-Something: something\r\n'.repeat(1_700)),
      get(`X-${'a'.repeat(40_000)}: 1\r\n`),
      get('', `/v1/pets?x=${'a'.repeat(40_000)}`),
      get('', `/${'a'.repeat(40_000)}`),
      get().slice(0, -2) + 'a'.repeat(40_000),
    ]
    return Object.fromEntries(
      bytes.map((one, index) => [
        String(index),
        { bytes: one, status: 431, code: 'headers_too_large' } as const,
      ]),
    )
  }))

it('201: links have the host of an absolute request target, whatever Host says', async () => {
  const { api, get, post, exchange, expectServes } = await startListening({
    PETSTORE_PUBLIC_URL: undefined,
  })
  await api.createPet()
  const next = async (target: string, headers = '', host = 'b') => {
    const request = get(headers, target).replace('petstore.test', host)
    return (await exchange(request, 'GET', '/v1/pets')).headers.link?.split('?', 1)[0]
  }

  const created = await exchange(
    post(length, body).replace(' /v1/pets', ' http://a:81/v1/pets'),
    'POST',
    '/v1/pets',
  )

  assert.equal(created.headers.location, 'http://a:81/v1/pets/2')
  assert.equal(await next('http://a/v1/pets?limit=1'), '<http://a/v1/pets')
  assert.equal(await next('HTTP://A:80/v1/pets?limit=1'), '<http://A:80/v1/pets')
  assert.equal(await next('http://[::1]:81/v1/pets?limit=1'), '<http://[::1]:81/v1/pets')
  assert.equal(await next('/v1/pets?limit=1'), '<http://b/v1/pets')
  const ask = (target: string, host: string) =>
    exchange(get('', target).replace('Host: petstore.test\r\n', host), 'GET', '/v1/pets')
  for (const target of ['', 'a b', 'u@a', 'a:x', 'a:65536', '[a]', 'a<b>', '%'].map(
    (authority) => `http://${authority}/v1/pets`,
  )) {
    expectError(await ask(target, 'Host: b\r\n'), 400, 'invalid_request')
  }
  for (const bad of ['', 'Host: a b\r\n', 'Host: a\r\nHost: a\r\n']) {
    expectError(await ask('http://a/v1/pets', bad), 400, 'invalid_request')
  }
  await expectServes(2)
})

it('404 or 405: valid methods and targets that the service does not have', () =>
  expectRefusals(({ get }) => {
    const notHere = { status: 405, code: 'method_not_allowed', isLast: false } as const
    return {
      TRACE: { bytes: get().replace('GET', 'TRACE'), ...notHere },
      QUERY: { bytes: get().replace('GET', 'QUERY'), ...notHere },
      PROPFIND: { bytes: get().replace('GET', 'PROPFIND'), ...notHere },
      'the asterisk with GET': {
        bytes: get('', '*'),
        status: 404,
        code: 'not_found',
        isLast: false,
      },
    }
  }))

it('200, 201 or 204: unusual but valid forms of a request', async () => {
  const { key, open, exchange, get, post, expectServes } = await startListening()
  const old = (headers = '') =>
    `GET /v1/pets HTTP/1.0\r\nAuthorization: Bearer ${key}\r\n${headers}\r\n`
  const list = (bytes: string) => exchange(bytes, 'GET', '/v1/pets')
  const create = (bytes: string) => exchange(bytes, 'POST', '/v1/pets')

  assert.equal((await list(old())).headers.connection, 'close')
  assert.equal((await list(old('Connection: keep-alive\r\n'))).headers.connection, 'keep-alive')
  assert.equal((await list(old('Expect: a-miracle\r\n'))).status, 200)
  for (const target of ['http://petstore.test/v1/pets', 'HTTPS://other.test:1/v1/pets?limit=1']) {
    assert.equal((await list(get('', target))).status, 200)
  }
  assert.equal((await list(`\r\n\r\n${get()}`)).status, 200)
  for (const upgrade of [
    'Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\nConnection: Upgrade, HTTP2-Settings\r\n',
    'Upgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZQ==\r\nSec-WebSocket-Version: 13\r\nConnection: Upgrade\r\n',
  ]) {
    const answer = await list(get(upgrade))
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.upgrade, undefined)
  }
  const options = await exchange(`OPTIONS * HTTP/1.1\r\n${host}\r\n`, 'OPTIONS', '*')
  assert.equal(options.status, 204)
  assert.equal(options.headers.allow, 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT')
  await using proxied = await open()
  proxied.send(`CONNECT petstore.test:443 HTTP/1.1\r\n${host}\r\n`)
  assert.equal(await proxied.receive(), undefined)
  await expectServes()

  const extended = `${body.length.toString(16)};a="b";c\r\n${body}\r\n0\r\nAuthorization: no\r\n\r\n`
  assert.equal((await create(post(chunked, extended))).status, 201)
  assert.equal((await create(post(chunked, chunks(...body) + lastChunk))).status, 201)
  await expectServes(2)
})

it('100, then 201: a client that sends Expect: 100-continue', async () => {
  const { open, post, receive, expectServes } = await startListening()

  for (const expectation of ['100-continue', '100-Continue', '100-continue, 100-continue']) {
    await using connection = await open()
    connection.send(post(`Expect: ${expectation}\r\n${length}`, ''))
    assert.equal((await connection.receive())?.status, 100)
    connection.send(body)
    assert.equal((await receive(connection, 'POST', '/v1/pets')).status, 201)
  }
  await expectServes(3)
})
