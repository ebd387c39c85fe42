import assert from 'node:assert/strict'
import { it, mock } from 'node:test'
import { ServiceError } from '../../src/contract/service-error.ts'
import { startApp, type TestApp } from '../harness/app.ts'
import { isOnPostgres } from '../harness/engine.ts'
import { mockTimers } from '../harness/mock-timers.ts'
import { startListening } from './start-listening.ts'

type Line = Record<string, unknown>
const all = { PETSTORE_ACCESS_LOG: 'on' }
const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

/** The lines of requests so far. */
function linesOf({ logLines }: Pick<TestApp, 'logLines'>): Line[] {
  return logLines.map((line) => JSON.parse(line)).filter(({ status }) => status !== undefined)
}

it('a request has a line with what it asked for, what came of it, who sent it, and how long it took', async () => {
  const app = await startApp({ settings: all })

  const { headers } = await app.api.get('/v1/pets?limit=2', { headers: { traceparent: trace } })

  const [{ time, pid, hostname, durationMs, ...line } = {}, ...others] = linesOf(app)
  assert.deepEqual(line, {
    level: 30,
    requestId: headers['x-request-id'],
    method: 'GET',
    url: '/v1/pets?limit=2',
    operation: 'listPets',
    status: 200,
    keyId: 1,
    address: '127.0.0.1',
    traceparent: trace,
    msg: 'request',
  })
  assert.ok(Math.abs(Number(time) - Date.now()) < 60_000 && pid === process.pid && hostname)
  assert.ok(Number(durationMs) >= 0 && Number(durationMs) < 60_000)
  assert.deepEqual(others, [])
})

it('a request that is refused has one line, with the code of its error', async () => {
  const app = await startApp({ settings: all })
  const { api } = app

  await api.get('/v1/pets', { key: null })
  await api.get('/v1/nothing/here')
  await api.send('PUT', '/v1/pets')
  await api.get('/v1/pets/%ff')
  await api.post('/v1/pets', { name: 7 })
  await api.post('/v1/pets', {}, { key: await app.issueKey({ scopes: ['pets:read'] }) })

  assert.deepEqual(
    linesOf(app).map(({ level, url, operation, status, code, keyId }) =>
      [level, url, operation, status, code, keyId].join(' '),
    ),
    [
      '30 /v1/pets listPets 401 missing_api_key ',
      '30 /v1/nothing/here  404 not_found ',
      '30 /v1/pets  405 method_not_allowed ',
      '30 /v1/pets/…  400 invalid_request ',
      '30 /v1/pets createPet 400 invalid_body 1',
      '30 /v1/pets createPet 403 insufficient_scope 2',
    ],
  )
})

it('on has a line for each request, errors for those from 400 on, off for none; a store in memory has errors, others on', async () => {
  for (const [setting, statuses] of [
    ['on', [200, 401]],
    ['errors', [401]],
    ['off', []],
    [undefined, isOnPostgres ? [200, 401] : [401]],
  ] as const) {
    // No lines of slow requests, on a busy machine.
    const app = await startApp({
      settings: { PETSTORE_ACCESS_LOG: setting, PETSTORE_SLOW_MS: '0' },
    })

    await app.api.get('/v1/pets')
    await app.api.get('/v1/pets', { key: null })

    assert.deepEqual(
      linesOf(app).map(({ status }) => status),
      statuses,
    )
  }
})

it('a request that fails has one line, a warning or an error with its cause, whatever the setting', async () => {
  for (const setting of ['on', 'errors', 'off']) {
    const app = await startApp({ settings: { PETSTORE_ACCESS_LOG: setting } })
    app.failDb(new Error('The cause of it'))

    const { headers } = await app.api.get('/v1/pets/1')

    const [line = {}, ...others] = linesOf(app)
    const { level, requestId, operation, status, code, keyId, err } = line
    assert.deepEqual([level, operation, status, code], [50, 'getPet', 500, 'internal_error'])
    assert.deepEqual([requestId, keyId], [headers['x-request-id'], 1])
    assert.equal((err as Error).message, 'The cause of it')
    assert.deepEqual(others, [])
  }
})

it('health probes have lines with debug alone, unless they fail', async () => {
  const quiet = await startApp({ settings: all })
  const detailed = await startApp({ settings: { ...all, PETSTORE_LOG_LEVEL: 'debug' } })

  for (const { api } of [quiet, detailed]) {
    for (const path of ['/health/live', '/v1/health/ready']) await api.get(path, { key: null })
  }
  await quiet.api.get('/health/none', { key: null })
  quiet.failDb(new Error('any'))
  await quiet.api.get('/health/ready', { key: null })

  assert.deepEqual(
    linesOf(detailed).map(({ level, url }) => [level, url]),
    [
      [20, '/health/live'],
      [20, '/v1/health/ready'],
    ],
  )
  assert.deepEqual(
    linesOf(quiet).map(({ level, status }) => [level, status]),
    [
      [30, 404],
      [50, 500],
    ],
  )
})

it('what a client sends forges no line and no escape sequence', async () => {
  const app = await startListening(all)
  const traces = [`${trace}\u0085x`, trace.toUpperCase(), '00-0-0-01', `ff${trace.slice(2)}`]
  const headers = [
    ...traces.map((text) => `traceparent: ${text}\r\n`),
    'X-Request-Id: "},{\\\r\n',
    'User-Agent: \u009b2J"\\n\r\n',
  ]
  // The parser lets no other bytes through.
  const target = '/v1/pets?name="},{"level":50\\n'

  const send = (text: string) => app.exchange(Buffer.from(text, 'latin1'), 'GET', '/v1/pets')
  for (const text of headers) await send(app.get(text))
  const { status } = await send(app.get('', target))
  app.failDb(new Error('\n{\u001b[2J\u009b31m\u007f\u0085\u2028\u202e'))
  await send(app.get())

  assert.match(app.logLines.join(''), /^(?:\{[ -~…]*\}\n)+$/, 'printable ASCII')
  const lines = linesOf(app)
  assert.ok(lines.every(({ traceparent }) => traceparent === undefined))
  assert.match(String(lines[4]?.requestId), /^[0-9a-f]{12}-\w+$/)
  assert.deepEqual([lines.length, status, lines[6]?.url], [8, 200, '/v1/pets?name=…'])
})

it('the line has the path with its ids, the names of parameters, and the values that the contract lists', async () => {
  const app = await startApp({ settings: all })
  const targets = {
    '/v1/pets/7': '/v1/pets/7',
    '/v1/pets/7%20': '/v1/pets/…',
    '/v1/pets/Rex': '/v1/pets/…',
    '/v1/store/orders/12/ship': '/v1/store/orders/12/ship',
    '/robots.txt': '/robots.txt',
    '/v1/pets?limit=2&cursor=e30&status=sold': '/v1/pets?limit=2&cursor=…&status=sold',
    '/v1/pets?id=7&id=x&sort=-id&name=Rex&colour=red&a1b2=3':
      '/v1/pets?id=7&id=…&sort=-id&name=…&colour=…&…',
    '/v1/pets?status=Rex&limit=1e3&after': '/v1/pets?status=…&limit=…&after',
    '/v1/store/orders?status=pending&reference=pending':
      '/v1/store/orders?status=pending&reference=…',
    [`/v1/pets?name=${'x'.repeat(5_000)}`]: '/v1/pets?name=…',
    [`/v1${'/a'.repeat(30)}?${'a&'.repeat(30)}`]: `/v1${'/a'.repeat(18)}/…?${'a&'.repeat(20)}…`,
  }

  for (const target of Object.keys(targets)) await app.api.get(target)

  assert.deepEqual(
    linesOf(app).map(({ url }) => url),
    Object.values(targets),
  )
})

it('of requests that get 503 for one reason, ten have a line with its causes, and the others are counted', async () => {
  mockTimers(mock, 'setTimeout')
  try {
    const app = await startApp()
    const cause = new Error('The connection failed.', { cause: new Error('read ECONNRESET') })
    app.failDb(new ServiceError('unavailable', 'The database is away.', { cause }))

    for (let n = 0; n < 25; n++) {
      await app.api.get('/health/ready', { isRepeated: false })
    }
    const during = linesOf(app).filter(({ level }) => level === 40)
    mock.timers.tick(60_000)

    assert.equal(during.length, 10)
    assert.equal(during[0]?.reason, 'The connection failed: read ECONNRESET')
    const { reason, repeated, msg } = JSON.parse(app.logLines.at(-1) ?? '')
    assert.deepEqual(
      [reason, repeated, msg],
      [during[0]?.reason, 15, '15 more requests got 503 for the same reason.'],
    )
  } finally {
    mock.reset()
    mock.timers.reset()
  }
})
