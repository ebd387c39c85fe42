import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { expectError, startApp } from '../../test/harness/app.ts'
import { checkAnswer } from '../../test/harness/contract.ts'
import { cases } from '../../test/harness/extent.ts'
import { openRequests, requests } from '../../test/harness/operations.ts'
import { openConnection } from '../../test/harness/raw-http.ts'
import type { Context } from '../context/context.ts'
import { ServiceError } from '../contract/service-error.ts'
import { insertPets } from '../features/pets/queries.ts'
import { performance } from '../timers.ts'

const [, readiness] = openRequests
const withDatabase = [...requests, readiness]

it('500: every operation hides the details of a defect from the client, and logs them', async (t) => {
  const { api, failDb, logLines } = await startApp()
  failDb(new Error('The secret of line 7'))
  confirmKeys(t)

  for (const { method, url, ...request } of withDatabase) {
    logLines.length = 0
    const response = await api.send(method, url, 'scope' in request ? request : {})

    expectError(response, 500, 'internal_error')
    assert.doesNotMatch(JSON.stringify(response), /secret|line 7|\.ts/)
    const logged = logLines.filter((line) => line.includes('The secret of line 7'))
    assert.equal(logged.length, 1, url)
    assert.ok(logged[0]?.includes(`"${response.headers['x-request-id']}"`))
  }
})

it('503: every operation when the database is unavailable', async (t) => {
  const { api, failDb } = await startApp()
  const cause = new Error('The disk is full of secrets')
  const unavailable = { cause, headers: { 'retry-after': '1' } }
  failDb(new ServiceError('unavailable', 'The database is away.', unavailable))
  confirmKeys(t)

  for (const { method, url, ...request } of withDatabase) {
    const response = await api.send(method, url, 'scope' in request ? request : {})

    expectError(response, 503, 'unavailable')
    assert.equal(response.headers['retry-after'], '1')
    assert.doesNotMatch(JSON.stringify(response), /secrets|keys cannot be confirmed/i)
  }
})

/** Stops the time in which keys have to be confirmed. */
function confirmKeys({ mock }: TestContext) {
  const nowMs = performance.now()
  mock.method(performance, 'now', () => nowMs)
}

for (const url of ['/v1/pets', '/v1/keys']) {
  it(`503: ${url} when a count takes longer than two seconds; 200 without a count`, async (t) => {
    const { api, context } = await startApp()
    outlastScans(context, t)

    const counted = await api.get(`${url}?limit=1`, { headers: { prefer: 'count=exact' } })
    const plain = await api.get(`${url}?limit=1`)

    expectError(counted, 503, 'unavailable')
    assert.match(counted.text, /Reading all matching records took too long/)
    assert.equal(counted.headers['x-total-count'], undefined)
    assert.equal(plain.status, 200)
  })
}

it('503: a search by name takes longer than two seconds; 200 without it', async (t) => {
  const { api, context } = await startApp()
  // More than a search reads before it becomes a scan.
  for (const name of ['Max', 'Rex']) {
    const newPet = { name, categoryId: 1n }
    await Promise.all(Array.from({ length: 300 }, () => context.db.write(insertPets, newPet)))
  }
  outlastScans(context, t)

  const searched = await api.get('/v1/pets?name=r')
  const plain = await api.get('/v1/pets')

  expectError(searched, 503, 'unavailable')
  assert.match(searched.text, /Reading all matching records took too long/)
  assert.equal(plain.status, 200)
})

/** From now on each scan is past its deadline when it checks the clock. */
function outlastScans({ db }: Context, { mock }: TestContext) {
  const { scan } = db
  const startMs = performance.now()
  db.scan = (...args) => {
    const times = [startMs]
    const now = mock.method(performance, 'now', () => times.shift() ?? startMs + 2_001)
    // What follows, such as the confirmation of keys, has the normal time again.
    return scan(...args).finally(() => now.mock.restore())
  }
}

it('503: beyond the maximum of connections every path except health is refused', async () => {
  const { server, key } = await startApp({ settings: { PETSTORE_CONNECTIONS_MAX: '1' } })
  const port = Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port)
  await using held = await openConnection(port)
  // The interim response shows that the request is in progress: no other can take its place.
  const expect = 'Expect: 100-continue\r\nContent-Length: 9\r\n'
  held.send(`POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${expect}\r\n`)
  assert.equal((await held.receive())?.status, 100)
  const few = cases(requests, { quickEvery: 10 })
  const targets = [...few, ...openRequests, { method: 'GET', url: '/v1/nothing' }]

  for (const { method, url } of targets.filter(({ url }) => !url.includes('/health/'))) {
    await using connection = await openConnection(port)
    const headers = `Host: x\r\nAuthorization: Bearer ${key}\r\nContent-Length: 0\r\n`
    connection.send(`${method} ${url} HTTP/1.1\r\n${headers}\r\n`)
    const refused = await connection.receive(method)
    assert.ok(refused, url)
    checkAnswer(method, url, refused)
    expectError(refused, 503, 'unavailable')
    assert.equal(refused.headers['retry-after'], '1')
    assert.equal(refused.headers.connection, 'close')
    assert.equal((await connection.ended()).length, 0)
  }
})
