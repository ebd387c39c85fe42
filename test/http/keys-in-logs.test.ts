import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ServiceError } from '../../src/contract/service-error.ts'
import { startApp } from '../harness/app.ts'
import { cases, itInFull } from '../harness/extent.ts'
import { openConnection } from '../harness/raw-http.ts'
import { repeatRefused } from '../harness/repeat.ts'
import { startService } from '../processes/process.ts'

/** Keys of other stores, one for each environment. */
const foreignKeys = [
  'pet_live_UV5JPKi7inkFcbSOYhyQALeFobup5wV22HL2g0',
  'pet_test_3QKCaM2pqc6BCExg14UpljtWlhjVaE4B4Pkhnu',
]

const hexOf = (text: string) => Buffer.from(text).toString('hex')

/** Texts that contain a key, or most of one, as clients put them where they do not belong. */
const textsWith = (key: string) => [
  key,
  key.toLowerCase(),
  key.toUpperCase(),
  `my-key:${key}!`,
  key.slice(0, 20),
  key.slice(9),
  hexOf(key).replace(/../g, '%$&'),
  Buffer.from(key).toString('base64'),
  hexOf(key),
]

/** Requests to a real process: the logs of the HTTP parser and of the start cannot be seen in process. */
const rawRequests = (text: string) => [
  `GET /v1/pets?key=${encodeURIComponent(text)} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${text}\r\n\r\n`,
  `GET /v1/pets HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${text}\r\nAuthorization ${text}\r\n\r\n`,
  `GET http://${text}/${text} HTTP/1.1\r\nHost: ${text}\r\nX-Request-Id: ${text}\r\n\r\n`,
  `${text} /v1/pets HTTP/1.1\r\nHost: a\r\n\r\n`,
  `GET /${text} HTTP/1.1\r\nHost: a\r\nX: ${text.repeat(500)}\r\n\r\n`,
  `POST /v1/pets HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${text}\r\n`,
]

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

type Request = {
  method: string
  url: string
  headers?: Record<string, string>
  rawBody?: string
}

/** One request for each place that can carry a text, the ones that are logged first. */
function requestsWith(text: string): { shown: Request[]; others: Request[] } {
  const inUrl = /[\s\\"&#;+]/.test(text) ? encodeURIComponent(text) : text
  const headers = [
    ...['accept', 'authorization', 'content-encoding', 'content-type', 'cookie', 'expect', 'host'],
    ...[
      'idempotency-key',
      'if-match',
      'if-none-match',
      'origin',
      'prefer',
      'referer',
      'user-agent',
    ],
    ...['x-request-id', 'x-unknown'],
  ]
  const targets = [
    ...['limit', 'cursor', 'sort', 'after', 'id', 'status', 'categoryId', 'name', 'unknown'].map(
      (name) => `/v1/pets?${name}=${inUrl}`,
    ),
    ...[`/v1/pets?${inUrl}=1`, `/v1/pets/${inUrl}`, `/v1/store/orders/${inUrl}/x`, `/${inUrl}`],
    ...[`/v1/pets?limit=1&x=y;${inUrl},z`, `/v1/pets/%ff${inUrl}`],
  ]
  const bodies = [
    ...['name', 'categoryId', 'status', 'unknown'].map((member) =>
      JSON.stringify({ name: 'Rex', categoryId: 7, [member]: text }),
    ),
    ...[JSON.stringify(text), text, `{"${text.replaceAll('\\', '')}`],
  ]
  const post = { method: 'POST', url: '/v1/pets' }
  const shown = targets.map((url) => ({ method: 'GET', url, headers: { 'x-request-id': text } }))
  const others = [
    ...headers.map((name) => ({ ...post, headers: { [name]: text }, rawBody: '{"name":"Rex"}' })),
    ...bodies.map((rawBody) => ({ ...post, rawBody, headers: { 'idempotency-key': text } })),
  ]
  return { shown, others }
}

const pieceLength = 14

/** Fails where the output has a part of a text, in any case. */
function expectNothingOf(texts: readonly string[], output: string) {
  const all = output.toLowerCase()
  for (const text of texts.map((one) => one.toLowerCase())) {
    for (let start = 0; start + pieceLength <= text.length; start++) {
      const piece = text.slice(start, start + pieceLength)
      assert.ok(!all.includes(piece), `${piece} of ${text}`)
    }
  }
}

it('X-Request-Id is replaced unless it has the form of an identifier; none begins as a key does', async () => {
  const { api, key } = await startApp()
  const idOf = async (id: string) =>
    (await api.get('/v1/pets', { headers: { 'x-request-id': id } })).headers['x-request-id']

  for (const id of [
    '5f0c1a52-6d8e-4b1f-9a37-2c64e0b7d913', // UUID
    '5F0C1A526D8E4B1F9A372C64E0B7D913',
    '0af7651916cd43dd8448eb211c80319c', // trace
    '01ARZ3NDEKTSV4RRFFQ69G5FAV', // ULID
    '0ujtsYcgvSTl8PAuAdqWYSMnLOv', // KSUID
    'V1StGXR8_Z5jdHi6B-myT', // nanoid
    ...['1', 'a', 'pet-test-1', 'petLive', 'checkout-4711', 'x'.repeat(30)],
  ]) {
    assert.equal(await idOf(id), id)
  }
  for (const id of [
    ...[key, ...foreignKeys].flatMap(textsWith),
    ...['pet_', 'PET_1', 'x'.repeat(31), '0'.repeat(33), '5f0c1a52-6d8e-4b1f-9a37-2c64e0b7d91'],
    ...['a b', 'order:7', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 'é'],
  ]) {
    assert.match((await idOf(id)) ?? '', /^[0-9a-f]{12}-[0-9a-z]+$/, id)
  }
})

it('no log line contains a key, wherever and however it was sent, at any level', async () => {
  for (const level of cases(levels, { quickEvery: 3 })) {
    const app = await startApp({ settings: { PETSTORE_LOG_LEVEL: level } })
    const keys = [app.key, ...foreignKeys]
    const hidden = cases(keys.flatMap(textsWith), { quickEvery: 4 })
    const texts = level === 'trace' ? hidden : [app.key]

    for (const text of texts) {
      const { shown, others } = requestsWith(text)
      for (const { method, url, ...sent } of keys.includes(text) ? [...shown, ...others] : shown) {
        const { statusCode } = await app.server.inject({
          method: method as 'GET',
          url,
          headers: { authorization: `Bearer ${app.key}`, ...sent.headers },
          ...(sent.rawBody === undefined ? {} : { payload: sent.rawBody }),
        })
        assert.ok(statusCode < 500, `${method} ${url}: ${statusCode}`)
      }
    }
    for (const text of keys) {
      const cause = Object.assign(new Error(`what the database says of ${text}`), {
        detail: `Key (name)=(${text}) is there.`,
        parameters: [text],
      })
      for (const error of [cause, new ServiceError('unavailable', text, { cause })]) {
        app.failDb(error)
        const headers = { 'x-request-id': text }
        const send = () => app.api.get('/v1/pets', { headers })
        // A busy machine is unavailable at times; a defect is not.
        const { status } = error === cause ? await repeatRefused(send) : await send()
        assert.equal(status, error === cause ? 500 : 503)
      }
    }

    const output = app.logLines.join('')
    expectNothingOf(texts, output)
    assert.equal(
      output.includes('what the database says of …'),
      level !== 'silent' && level !== 'fatal',
    )
    if (level === 'trace') {
      assert.match(output, /"url":"\/v1\/pets\?limit=…"/)
      assert.match(output, /"url":"\/v1\/pets\/…"/)
      for (const line of app.logLines) JSON.parse(line)
    }
  }
})

itInFull('a process writes no key that it was sent to its log or to standard error', async () => {
  await using service = await startService({
    args: ['serve', '--json', '--ephemeral', '--port', '0'],
    env: { PETSTORE_LOG_LEVEL: 'trace' },
  })
  const { port } = new URL(service.baseUrl)
  const texts = [...textsWith(service.key), ...foreignKeys]

  for (const text of texts) {
    for (const bytes of rawRequests(text)) {
      await using connection = await openConnection(Number(port))
      connection.send(bytes)
      assert.ok(((await connection.receive())?.status ?? 500) < 500, bytes.slice(0, 200))
    }
  }
  const { code, stdout, stderr } = await service.stop()

  assert.equal(code, 0)
  assert.match(stderr, /"msg":"request"/)
  // The line at start has the key that was just issued, and nothing else.
  expectNothingOf(texts, stdout.split('\n').slice(1).join('\n') + stderr)
})
