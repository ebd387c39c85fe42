import assert from 'node:assert/strict'
import { it } from 'node:test'
import { performance } from '../../src/timers.ts'
import { expectError } from '../harness/app.ts'
import { itInFull } from '../harness/extent.ts'
import type { RawConnection } from '../harness/raw-http.ts'
import { until } from '../harness/until.ts'
import { startListening } from './start-listening.ts'

const connectionCount = 100
/** Also what limits.md says. */
const aloneMax = 256
/** What docs/operations/limits.md says: of two keys each has half of 64. */
const runningMax = 32
/** How many requests of a connection are in progress; the next one waits. */
const pipelinedMax = 16
const noisy = '/v1/pets?limit=1'
const quiet = '/v1/pets?limit=2'

/** A service whose pages wait for `release`, connections of one key, and the targets of requests in order of their begin. */
async function startHeld(connections = connectionCount) {
  const begun: string[] = []
  let gate: PromiseWithResolvers<void> | undefined
  const app = await startListening(
    {},
    { observers: [{ started: ({ request }) => begun.push(request?.url ?? '') }] },
  )
  const { db } = app.context
  const { read } = db
  // Keys are confirmed by reads without an input.
  const held = async (query: never, input: never) => {
    if (input !== undefined) await gate?.promise
    return read(query, input)
  }
  Object.assign(db, { read: held })
  const other = await app.issueKey()
  const getQuiet = `GET ${quiet} HTTP/1.1\r\nHost: petstore.test\r\nAuthorization: Bearer ${other}\r\n\r\n`
  const getNoisy = app.get('', noisy)
  const isServed = async (connection: RawConnection) =>
    assert.equal((await app.receive(connection, 'GET', '/v1/pets')).status, 200)
  const openWith = async (request: string) => {
    const connection = await app.open()
    connection.send(request)
    await isServed(connection)
    // The key of a connection is known after its first request.
    connection.send(request)
    await isServed(connection)
    return connection
  }
  const opened = await Promise.all(Array.from({ length: connections }, () => openWith(getNoisy)))
  return {
    ...app,
    ...{ begun, getQuiet, getNoisy, isServed, openWith, connections: opened },
    hold() {
      gate = Promise.withResolvers()
      begun.length = 0
    },
    release: () => gate?.resolve(),
    count: (target: string) => begun.filter((url) => url === target).length,
  }
}

it('200: of a key that sends many requests at once some wait, and those of other keys do not', async () => {
  const { hold, release, begun, count, connections, ...app } = await startHeld()
  await using good = await app.openWith(app.getQuiet)
  hold()

  for (const connection of connections) connection.send(app.getNoisy)
  await until(() => count(noisy) >= runningMax)
  good.send(app.getQuiet)
  await until(() => count(quiet) === 1)

  assert.equal(count(noisy), runningMax)
  assert.equal(begun.length, runningMax + 1)
  release()
  await app.isServed(good)
  for (const connection of connections) await app.isServed(connection)
  assert.equal(count(noisy), connectionCount)
})

it('200: a key that has the service for itself does not wait', async () => {
  const { hold, release, count, connections, ...app } = await startHeld()
  hold()

  for (const connection of connections) connection.send(app.getNoisy)

  await until(() => count(noisy) === connectionCount)
  release()
  for (const connection of connections) await app.isServed(connection)
})

itInFull('200: of a key that has the service for itself 256 requests are in progress', async () => {
  const { hold, release, begun, count, connections, ...app } = await startHeld(aloneMax + 10)
  hold()

  for (const connection of connections) connection.send(app.getNoisy)
  await until(() => count(noisy) === aloneMax)
  await using probe = await app.open()
  probe.send(app.get('', '/health/live'))
  await app.receive(probe, 'GET', '/health/live')

  assert.equal(begun.length, aloneMax + 1)
  release()
  for (const connection of connections) await app.isServed(connection)
})

it('200: connections that are reset, in line or in progress, do not hold up the others', async () => {
  const { hold, release, count, connections, ...app } = await startHeld()
  await using _good = await app.openWith(app.getQuiet)
  hold()
  for (const connection of connections) connection.send(app.getNoisy)
  await until(() => count(noisy) >= runningMax)

  const reset = connections.filter((_, index) => index % 2 === 0)
  for (const connection of reset) connection.reset()
  release()

  for (const connection of connections)
    if (!reset.includes(connection)) await app.isServed(connection)
  await app.expectServes()
})

it('200: a connection counts once, however often one of its requests waits for the earlier ones', async () => {
  const { connections, ...app } = await startHeld(1)
  const [pipelining] = connections
  assert.ok(pipelining)
  await using good = await app.openWith(app.getQuiet)

  for (let round = 0; round <= runningMax; round++) {
    good.send(app.getQuiet)
    await app.isServed(good)
    pipelining.send(app.getNoisy.repeat(pipelinedMax + 1))
    for (let index = 0; index <= pipelinedMax; index++) await app.isServed(pipelining)
  }
})

it('200: open streams of events hold up no request of their key', async () => {
  const { begun, connections, ...app } = await startHeld()
  const stream = '/v1/events'
  for (const connection of connections.slice(0, runningMax))
    connection.send(app.get('Accept: text/event-stream\r\n', stream))
  await until(() => begun.filter((url) => url === stream).length === runningMax)
  await until(() => app.context.feed?.streams() === runningMax)
  await using good = await app.openWith(app.getQuiet)
  begun.length = 0

  const [other] = connections.slice(runningMax)
  assert.ok(other)
  other.send(app.getNoisy)
  await app.isServed(other)

  good.send(app.getQuiet)
  await app.isServed(good)
  assert.deepEqual(begun, [noisy, quiet])
})

it('503: a request that has waited for a second in the line of its key is refused, and its connection goes on', async (t) => {
  const { hold, release, count, connections, ...app } = await startHeld()
  await using _good = await app.openWith(app.getQuiet)
  hold()
  const body = '{"name":"Rex","categoryId":7}'
  const length = `Content-Length: ${body.length}\r\n`
  const [late, probe] = connections.slice(-2)
  assert.ok(late && probe)
  const others = connections.slice(0, -2)
  for (const connection of others) connection.send(app.getNoisy)
  await until(() => count(noisy) === runningMax)
  late.send(app.post(length, body))
  probe.send(app.get('', '/health/live'))
  // Health is never refused for what its key sends.
  assert.equal((await app.receive(probe, 'GET', '/health/live')).status, 200)
  const now = performance.now.bind(performance)
  t.mock.method(performance, 'now', () => now() + 1_001)

  const refused = await app.receive(late, 'POST', '/v1/pets')

  expectError(refused, 503, 'unavailable')
  assert.equal(refused.headers['retry-after'], '1')
  release()
  const statuses = await Promise.all(
    others.map(async (connection) => (await app.receive(connection, 'GET', '/v1/pets')).status),
  )
  assert.deepEqual(
    [200, 503].map((status) => statuses.filter((one) => one === status).length),
    [runningMax, others.length - runningMax],
  )
  late.send(app.post(length, body))
  assert.equal((await app.receive(late, 'POST', '/v1/pets')).status, 201)
  await app.expectServes(1)
})
