import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { anyCodePoint } from '../harness/any-code-point.ts'
import { amount } from '../harness/extent.ts'
import { chunks, lastChunk, startListening } from './start-listening.ts'

const chunked = 'Transfer-Encoding: chunked\r\n'

const methods = fc.constantFrom(
  ...['GET', 'GET', 'POST', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'TRACE'],
  ...['PROPFIND', 'QUERY', 'SEARCH', 'PURGE', 'M-SEARCH'],
)
const uriText = fc.string({
  unit: fc.oneof(
    fc.constantFrom(..."az09-._~!$&'()*+,;=:@"),
    // Not `fc.webPath`, which takes each process a second to list all of them.
    anyCodePoint.map(encodeURIComponent),
  ),
})
const paths = fc.oneof(
  fc.constantFrom('/v1/pets', '/v1/pets', '/v1/pets/1', '/v1/store/orders', '/openapi.json', '/'),
  fc.constantFrom('/health/live', '/health/ready', '/v1/openapi.json', '/v1', '/v1/', '//', '*'),
  fc.array(uriText).map((segments) => `/v1/pets/${segments.join('/')}`),
  fc
    .array(
      fc.constantFrom('/', 'v1', 'pets', '%', '%ff', '%2F', '.', '..', '1', ';', ':', '~', '!'),
      {
        maxLength: 8,
      },
    )
    .map((parts) => `/${parts.join('')}`),
)
const words = fc.oneof(
  fc.constantFrom('', '0', '1', '-1', '101', '9223372036854775808', '%ff', '%00', '%', '*', 'sold'),
  uriText,
  fc.string({ unit: fc.constantFrom(...'&=%+;?/\'"()<>{}[]|\\^`a1~'), maxLength: 8 }),
)
const names = fc.constantFrom('limit', 'status', 'sort', 'cursor', 'id', 'categoryId', 'petId', 'x')
const queries = fc.oneof(
  fc.constant(''),
  words.map((text) => `?${text}`),
  fc
    .array(fc.tuple(names, words), { minLength: 1, maxLength: 4 })
    .map((pairs) => `?${pairs.map((pair) => pair.join('=')).join('&')}`),
)
const headerNames = fc.constantFrom(
  ...['Accept', 'Content-Type', 'Content-Encoding', 'If-None-Match', 'Prefer', 'X-Request-Id'],
  ...[
    'Origin',
    'Range',
    'Cookie',
    'Expect',
    'TE',
    'Upgrade',
    'Connection',
    'X-HTTP-Method-Override',
  ],
  ...[
    'X-Forwarded-Host',
    'Access-Control-Request-Method',
    'Accept-Encoding',
    'Host',
    'Authorization',
  ],
)
const headerValues = fc.oneof(
  fc.constantFrom(
    '',
    '*',
    'a, b',
    'application/json',
    'application/problem+json',
    'count=exact',
    'gzip',
  ),
  fc.constantFrom('bytes=0-1', 'close', 'keep-alive', 'websocket', '100-continue', '"a"', 'null'),
  fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((c) => String.fromCharCode(c)) }),
)
const headers = fc.array(fc.tuple(headerNames, headerValues), { maxLength: 3 })
const bodies = fc.oneof(
  fc.constant(undefined),
  fc.constantFrom('{"name":"Rex","categoryId":7}', '{}', '[]', '"', '\0'),
  fc.json(),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
)

it('no HTTP request gets a 5xx, or anything that the document does not declare', async () => {
  const { api, key, exchange, expectServes, logLines } = await startListening()
  await api.createPet()

  await fc.assert(
    fc.asyncProperty(
      methods,
      paths,
      queries,
      headers,
      bodies,
      fc.boolean(),
      async (method, path, query, sentHeaders, body, hasKey) => {
        const hasHost = sentHeaders.some(([name]) => name === 'Host')
        const lines = [
          ...(hasHost ? [] : ['Host: petstore.test']),
          ...(hasKey ? [`Authorization: Bearer ${key}`] : []),
          ...sentHeaders.map(([name, value]) => `${name}: ${value.replaceAll('\x7f', '')}`),
          ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body, 'latin1')}`]),
        ]
        const target = path === '*' ? path : path + query
        const request = `${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`

        const { status } = await exchange(request, method, target)

        assert.ok(status < 500, `${status} for ${JSON.stringify(request)}`)
      },
    ),
    { numRuns: amount({ quick: 10, full: 1_500 }) },
  )
  const { length } = JSON.parse((await api.get('/v1/pets?limit=100')).text)
  await expectServes(Math.min(length, 20))
  assert.ok(logLines.every((line) => !line.includes(key)))
})

it('no sequence of bytes gets a 5xx, and the service goes on', async () => {
  const { get, post, open, expectServes } = await startListening()
  const good = [
    ...[get(), get('X: y\r\n', '/v1/pets/1'), get('', '*').replace('GET', 'OPTIONS')],
    ...[
      post('Content-Length: 5\r\n', '{"a":'),
      post(chunked, `${chunks('{"a":', '1}')}${lastChunk}`),
    ],
    ...['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'DESCRIBE /v1/pets RTSP/1.0\r\n\r\n'],
  ]
  const edits = fc.array(
    fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      removed: fc.nat({ max: 3 }),
      inserted: fc.oneof(
        fc.constantFrom(
          '\r',
          '\n',
          '\r\n',
          '\0',
          ' ',
          '\t',
          ':',
          '/',
          '\xff',
          'HTTP/1.1',
          '\r\n\r\n',
          ...['*', ';', '5', 'PRI ', 'RTSP/1.0', 'ftp:', chunked, 'Content-Length: 1\r\n'],
        ),
        fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
      ),
    }),
    { minLength: 1, maxLength: 3 },
  )

  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...good), edits, async (request, changes) => {
      let text = request
      for (const { at, removed, inserted } of changes) {
        const start = Math.floor(at * text.length)
        text = text.slice(0, start) + inserted + text.slice(start + removed)
      }
      await using connection = await open({ allowHalfOpen: true })
      connection.send(text)
      connection.socket.end()
      const received = (await connection.ended()).toString('latin1')

      const statuses = [...received.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, code]) =>
        Number(code),
      )
      assert.ok(
        statuses.every((status) => status < 500),
        `${JSON.stringify(text)}: ${received}`,
      )
    }),
    { numRuns: amount({ quick: 12, full: 500 }) },
  )
  await expectServes()
})
