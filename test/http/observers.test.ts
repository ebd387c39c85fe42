import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { PassThrough } from 'node:stream'
import { it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { CommitReport } from '../../src/db/on-commit.ts'
import type { Observation } from '../../src/http/observe.ts'
import { startApp, type TestApp } from '../harness/app.ts'
import { itInFull } from '../harness/extent.ts'
import { until } from '../harness/until.ts'
import { aDirectory } from '../processes/command.ts'
import { startListening } from './start-listening.ts'

/** Starts a service with an observer; `seen` has what it saw, in order. */
function createSubscriber() {
  const started: Observation[] = []
  const ended: Observation[] = []
  const seen: string[] = []
  const observer = {
    started(observed: Observation) {
      seen.push(`started ${observed.request?.method ?? '?'}`)
      started.push(observed)
    },
    ended(observed: Observation) {
      const { operation, caller, status, error, isCut } = observed
      const parts = [operation?.operationId, caller && `key ${caller.keyId}`, status, error?.code]
      seen.push(['ended', ...parts, isCut && 'cut'].filter(Boolean).join(' '))
      ended.push(observed)
    },
  }
  return { observers: [observer], started, ended, seen }
}

async function startObserved(
  settings: Record<string, string> = {},
  prepare?: (app: TestApp) => void,
) {
  const { observers, ...subscriber } = createSubscriber()
  const service = await startListening(settings, { observers, ...(prepare ? { prepare } : {}) })
  return { ...service, ...subscriber }
}

it('a request is observed at its start and at its end, whatever becomes of it', async () => {
  const { observers, seen } = createSubscriber()
  const { api, failDb } = await startApp({ observers })

  await api.get('/v1/pets')
  await api.post('/v1/pets', { name: 7 })
  await api.get('/v1/pets', { key: null })
  await api.get('/v1/nothing')
  await api.send('PUT', '/v1/pets')
  await api.send('OPTIONS', '/v1/pets')
  await api.get('/v1/pets/%ff')
  failDb(new Error('any'))
  await api.get('/v1/pets/1')

  assert.deepEqual(seen, [
    'started GET',
    'ended listPets key 1 200',
    'started POST',
    'ended createPet key 1 400 invalid_body',
    'started GET',
    'ended listPets 401 missing_api_key',
    'started GET',
    'ended 404 not_found',
    'started PUT',
    'ended 405 method_not_allowed',
    'started OPTIONS',
    'ended 204',
    'started GET',
    'ended 400 invalid_request',
    'started GET',
    'ended getPet key 1 500 internal_error',
  ])
})

it('what is no request is observed too: bytes that cannot be parsed, too many headers', async () => {
  const { exchange, seen, ended } = await startObserved()

  const { headers } = await exchange('GARBAGE\r\n\r\n')
  await exchange(`GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)
  await exchange('GET /any HTTP/1.1\r\nHost: a\r\nExpect: more\r\n\r\n')

  assert.deepEqual(seen, [
    'started ?',
    'ended 400 invalid_request',
    'started ?',
    'ended 431 headers_too_large',
    'started GET',
    'ended 400 invalid_request',
  ])
  assert.equal(ended[0]?.id, headers['x-request-id'])
})

it('408: a request whose body does not arrive is observed once, with its operation', async () => {
  const { exchange, post, seen, ended } = await startObserved({
    PETSTORE_REQUEST_TIMEOUT_MS: '2000',
  })

  const { status, headers } = await exchange(post('Content-Length: 5\r\n', ''), 'POST', '/v1/pets')
  await until(() => seen.length > 1)

  assert.equal(status, 408)
  assert.deepEqual(seen, ['started POST', 'ended createPet key 1 408 request_timeout'])
  assert.equal(ended[0]?.id, headers['x-request-id'])
})

it('a request whose client is gone ends with what came of it', async () => {
  const { open, post, started, seen, context } = await startObserved()
  const { db } = context
  const write = db.write
  const isGone = Promise.withResolvers<void>()
  Object.assign(db, {
    write: (...parameters: Parameters<typeof write>) =>
      isGone.promise.then(() => write(...parameters)),
  })

  const body = '{"name":"Rex","categoryId":7}'
  const early = await open()
  early.send(post('Content-Length: 5\r\n', ''))
  await until(() => seen.length === 1)
  await early.reset()
  await until(() => seen.length === 2)
  const late = await open()
  late.send(post(`Content-Length: ${body.length}\r\n`, body))
  await until(() => seen.length === 3)
  await late.reset()
  await until(() => started.at(-1)?.socket.destroyed === true)
  assert.equal(seen.length, 3)
  isGone.resolve()
  await until(() => seen.length === 4)

  assert.deepEqual(seen, [
    'started POST',
    'ended createPet key 1 400 invalid_request cut',
    'started POST',
    'ended createPet key 1 201 cut',
  ])
})

it('a stream ends with its last byte, or when its client is gone', async () => {
  const streams: PassThrough[] = []
  const { open, get, seen } = await startObserved({}, ({ server }) => {
    server.get('/stream', (_request, reply) => {
      const stream = new PassThrough()
      streams.push(stream)
      stream.write('first')
      return reply.send(stream)
    })
  })

  for (const isRead of [true, false]) {
    await using connection = await open()
    connection.send(get('', '/stream'))
    await until(() => connection.socket.bytesRead > 0)
    assert.match(String(seen.at(-1)), /started/)
    if (isRead) streams.at(-1)?.end()
    else await connection.reset()
    await until(() => /ended/.test(String(seen.at(-1))))
  }

  assert.deepEqual(seen, ['started GET', 'ended 200', 'started GET', 'ended 200 cut'])
})

/** The lines about slow requests. */
function slowLinesOf({ logLines }: Pick<TestApp, 'logLines'>): Record<string, unknown>[] {
  return logLines
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => String(msg).startsWith('Slow request: '))
}

it('PETSTORE_SLOW_MS: a slow request has a line that says what it waited for', async () => {
  const app = await startApp({ settings: { PETSTORE_SLOW_MS: '30' } })
  const { read } = app.context.db
  const holdMs = 40
  Object.assign(app.context.db, {
    read: async (...parameters: Parameters<typeof read>) => {
      await setTimeout(holdMs)
      return read(...parameters)
    },
  })

  const { headers } = await app.api.get('/v1/pets?name=Rex&limit=7')

  const [line = {}, ...others] = slowLinesOf(app)
  assert.deepEqual(
    [line.level, line.operation, line.requestId],
    [40, 'listPets', headers['x-request-id']],
  )
  assert.ok(Number(line.durationMs) >= holdMs && Number(line.databaseMs) >= holdMs)
  assert.match(
    String(line.msg),
    /^Slow request: GET \/v1\/pets\?name=…&limit=7 took [\d,]+ ms: ([\d,]+ ms in the database)(, [\d,]+ ms (for the client|in the service))*\.$/,
  )
  assert.deepEqual(others, [])
})

it('PETSTORE_SLOW_MS: a request that is not slow has no such line, and none has one with 0', async () => {
  for (const setting of ['9999999999', '0', undefined]) {
    const app = await startApp({ settings: { PETSTORE_SLOW_MS: setting } })

    await app.api.get('/v1/pets')

    assert.deepEqual(slowLinesOf(app), [])
  }
})

it('a slow client is told from a slow service', async () => {
  const { open, post, logLines } = await startObserved({ PETSTORE_SLOW_MS: '30' })
  const body = '{"name":"Rex","categoryId":7}'
  await using connection = await open()
  connection.send(post(`Expect: 100-continue\r\nContent-Length: ${body.length}\r\n`, ''))
  await connection.receive()
  await setTimeout(40)

  connection.send(body)
  await connection.receive()
  await until(() => slowLinesOf({ logLines }).length > 0)

  const [{ msg, durationMs, clientMs } = {}] = slowLinesOf({ logLines })
  assert.match(String(msg), /^Slow request: POST \/v1\/pets took [\d,]+ ms: .*\bms for the client/)
  assert.ok(Number(clientMs) >= 39 && Number(clientMs) <= Number(durationMs))
})

itInFull(
  'a write says how long it waited for its batch, its statements and its commit',
  async (t) => {
    const path = join(aDirectory(t), 'pets.db')
    const { observers, ended } = createSubscriber()
    const commits: CommitReport[] = []
    const committed = (report: CommitReport) => commits.push(report)
    const app = await startApp({
      observers: [...observers, { committed }],
      settings: { PETSTORE_DATABASE: `sqlite:${path}`, PETSTORE_SLOW_MS: '1' },
    })
    const other = new DatabaseSync(path)
    t.after(() => other.close())

    /** Sends one create while the database is locked, and four batches of one while that one waits for the lock. */
    async function createBehindLock() {
      commits.length = 0
      ended.length = 0
      other.exec('begin immediate')
      const createAfter = (ms: number) => setTimeout(ms).then(() => app.api.createPet())
      const creates = [0, 30, 40, 50, 60].map(createAfter)
      await setTimeout(90)
      other.exec('rollback')
      await Promise.all(creates)
      await until(() => commits.reduce((sum, { inputs }) => sum + inputs, 0) >= 5)
      return commits.map(({ inputs, waiting }) => `${inputs} of ${inputs + waiting}`).join(', ')
    }
    // On a busy machine the writer may not take the first before the others are there.
    const hasWaited = () => Number(commits[1]?.waitedMs) >= 25
    await until(async () => (await createBehindLock()) === '1 of 5, 4 of 4' && hasWaited())

    const [waitedForLock, ...waitedForBatch] = ended
    assert.ok(Number(waitedForLock?.databaseMs) >= 25)
    for (const { batchMs, databaseMs, commitMs, totalMs } of waitedForBatch) {
      assert.ok(batchMs > 0 && databaseMs > 0 && commitMs > 0)
      assert.ok(batchMs + databaseMs + commitMs <= totalMs)
    }
    const { msg } = slowLinesOf(app).at(-1) ?? {}
    assert.match(
      String(msg),
      /^Slow request: POST \/v1\/pets took [\d,]+ ms: \d+ ms for its batch, (\d+ ms for the commit)?/,
    )
  },
)
