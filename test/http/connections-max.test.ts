import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { it } from 'node:test'
import { expectError } from '../harness/app.ts'
import { checkAnswer } from '../harness/contract.ts'
import { itInFull } from '../harness/extent.ts'
import { openConnection, type RawAnswer, type RawConnection } from '../harness/raw-http.ts'
import { until } from '../harness/until.ts'
import { startListening } from './start-listening.ts'

/** How many connections beyond the maximum are read at the same time. */
const extrasMax = 64

const aPetBody = '{"name":"Rex","categoryId":7}'
const withLength = `Content-Length: ${aPetBody.length}\r\n`

/** A service whose maximum of two connections is reached, each in the middle of a request. */
async function startFull() {
  const service = await startListening({ PETSTORE_CONNECTIONS_MAX: '2' })
  const held = await Promise.all([service.open(), service.open()])
  for (const connection of held) {
    // The interim response shows that the request is in progress.
    connection.send(service.post(`Expect: 100-continue\r\n${withLength}`, ''))
    assert.equal((await connection.receive())?.status, 100)
  }
  return { ...service, held }
}

it('503: a connection beyond the maximum gets a response and is closed; requests in progress are served', async () => {
  const { held, exchange, get, post, receive, open } = await startFull()

  for (const bytes of [get(), get('', '/nothing'), post('Content-Length: 5\r\n', '')]) {
    const refused = await exchange(bytes, bytes.slice(0, 4).trim(), '/v1/pets')
    expectError(refused, 503, 'unavailable')
    assert.equal(refused.headers.connection, 'close')
  }
  const head = await exchange(get().replace('GET', 'HEAD'), 'HEAD', '/v1/pets')
  assert.deepEqual([head.status, head.text], [503, ''])
  for (const connection of held) {
    connection.send(aPetBody)
    assert.equal((await receive(connection, 'POST', '/v1/pets')).status, 201)
  }
  await using next = await open()
  next.send(get())
  assert.equal((await receive(next, 'GET', '/v1/pets')).status, 200)
})

/** A service of this many connections, and connections that have had the response to one request. */
async function startWithRoom(connectionsMax: number) {
  const service = await startListening({ PETSTORE_CONNECTIONS_MAX: String(connectionsMax) })
  const { open, get, receive } = service
  const unkeyedGet = 'GET /health/live HTTP/1.1\r\nHost: petstore.test\r\n\r\n'

  async function use(connection: RawConnection): Promise<RawAnswer> {
    connection.send(get())
    return await receive(connection, 'GET', '/v1/pets')
  }
  return {
    ...service,
    use,
    async openUnkeyed() {
      const connection = await open()
      connection.send(unkeyedGet)
      assert.equal((await receive(connection, 'GET', '/health/live')).status, 200)
      return connection
    },
    async openKeyed(localAddress = '127.0.0.1') {
      const connection = await open({ localAddress })
      assert.equal((await use(connection)).status, 200)
      return connection
    },
  }
}

it('200: at the maximum a new client takes the place of the connection that is idle longest', async () => {
  const { openUnkeyed, openKeyed, use, logLines } = await startWithRoom(3)
  const [first, second, third] = [await openUnkeyed(), await openUnkeyed(), await openUnkeyed()]
  second.send('GET /health/live HTTP/1.1\r\nHost: petstore.test\r\n\r\n')
  assert.equal((await second.receive())?.status, 200)

  const newcomer = await openKeyed()

  assert.equal((await first.ended()).toString(), '')
  await using next = await openKeyed()
  assert.equal((await third.ended()).toString(), '')
  for (const connection of [newcomer, next, second])
    assert.equal((await use(connection)).status, 200)
  await until(() => logLines.some((line) => /[12] idle connections were closed/.test(line)))
})

it('200: at the maximum connections that have shown a valid key are closed last', async () => {
  const { openUnkeyed, openKeyed, use, open } = await startWithRoom(3)
  const keyed = [await openKeyed(), await openKeyed()]
  const unkeyed = await openUnkeyed()
  const silent = await open()

  assert.equal((await unkeyed.ended()).toString(), '')
  await using refused = await open()
  refused.send('GET /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer pet_test_1\r\n\r\n')
  assert.equal((await refused.receive())?.status, 401)
  assert.equal((await silent.ended()).toString(), '')
  const last = await openKeyed()

  assert.equal((await refused.ended()).toString(), '')
  for (const connection of [...keyed, last]) assert.equal((await use(connection)).status, 200)
  await openKeyed()
  assert.equal((await keyed[0]?.ended())?.toString(), '')
})

it('200: at the maximum one address keeps half of the connections, and replaces its own alone', async () => {
  const { openKeyed, use } = await startWithRoom(4)
  const many = []
  for (let count = 0; count < 4; count++) many.push(await openKeyed('127.0.0.2'))
  // Their last requests are the oldest from here on, and still they stay.
  const others = [await openKeyed(), await openKeyed()]

  for (const connection of many.slice(0, 2)) assert.equal((await connection.ended()).length, 0)
  const further = await openKeyed('127.0.0.2')

  assert.equal((await many[2]?.ended())?.length, 0)
  for (const connection of [...others, further]) assert.equal((await use(connection)).status, 200)
})

it('200: at the maximum clients that connect at the same time do not close one another', async () => {
  const { openKeyed, open, get, receive } = await startWithRoom(3)
  for (let count = 0; count < 3; count++) await openKeyed()

  const burst = await Promise.all(Array.from({ length: 3 }, () => open()))
  for (const connection of burst) connection.send(get())

  for (const connection of burst)
    assert.equal((await receive(connection, 'GET', '/v1/pets')).status, 200)
})

it('200: at the maximum a connection with a key that has sent a part of a request stays', async () => {
  const { server, openKeyed, get, post, receive, exchange } = await startWithRoom(2)
  const accepted: Socket[] = []
  server.server.on('connection', (socket: Socket) => accepted.push(socket))
  const connections = [await openKeyed(), await openKeyed('127.0.0.2')]
  const requests = [get(), post(withLength, aPetBody)]
  for (const [index, connection] of connections.entries()) {
    const before = accepted[index]?.bytesRead ?? 0
    connection.send(requests[index]?.slice(0, 20) ?? '')
    await until(() => accepted[index]?.bytesRead === before + 20)
  }

  const refused = await exchange(get(), 'GET', '/v1/pets')

  expectError(refused, 503, 'unavailable')
  for (const [index, connection] of connections.entries()) {
    connection.send(requests[index]?.slice(20) ?? '')
    const method = index === 0 ? 'GET' : 'POST'
    const { status } = await receive(connection, method, '/v1/pets')
    assert.equal(status, index === 0 ? 200 : 201)
  }
  assert.equal((await exchange(get(), 'GET', '/v1/pets')).status, 200)
})

it('200: an address with more than half of the connections gives way, even where each has begun a request', async () => {
  const { openKeyed, open, get } = await startWithRoom(3)
  const begun = []
  for (let count = 0; count < 3; count++) {
    const connection = await open({ localAddress: '127.0.0.2' })
    connection.send(get().slice(0, 20))
    begun.push(connection)
  }

  await openKeyed()

  assert.equal((await begun[0]?.ended())?.toString(), '')
})

it('200: Keep-Alive says how long a connection may be idle: seconds until it has shown a valid key', async () => {
  const { server, open, openUnkeyed, use } = await startWithRoom(3)
  const accepted: Socket[] = []
  server.server.on('connection', (socket: Socket) => accepted.push(socket))
  await using connection = await open()
  const unkeyed: (string | undefined)[] = []
  for (const path of ['/health/live', '/v1/pets']) {
    connection.send(`GET ${path} HTTP/1.1\r\nHost: petstore.test\r\n\r\n`)
    unkeyed.push((await connection.receive())?.headers['keep-alive'])
  }
  assert.deepEqual(unkeyed, ['timeout=5', 'timeout=5'])
  assert.equal(accepted[0]?.timeout, 6_000)

  const keyed = await use(connection)
  connection.send('GET /health/live HTTP/1.1\r\nHost: petstore.test\r\n\r\n')
  const later = await connection.receive()

  assert.equal(keyed.headers['keep-alive'], 'timeout=72')
  assert.equal(later?.headers['keep-alive'], 'timeout=72')
  assert.equal(accepted[0]?.timeout, 73_000)
  await openUnkeyed()
  connection.send('GET /health/live HTTP/1.0\r\n\r\n')
  assert.equal((await connection.receive())?.headers['keep-alive'], undefined)
})

itInFull('an idle connection without a key is closed after six seconds', async () => {
  const { openUnkeyed, openKeyed, use } = await startWithRoom(3)
  const keyed = await openKeyed()
  const unkeyed = await openUnkeyed()
  const startMs = performance.now()

  assert.equal((await unkeyed.ended()).toString(), '')

  const tookMs = performance.now() - startMs
  assert.ok(tookMs > 5_000, `closed after ${tookMs} ms`)
  assert.equal((await use(keyed)).status, 200)
})

it('200: health is served beyond the maximum, one request per connection', async () => {
  const { open, get, receive } = await startFull()

  for (const path of ['/health/live', '/health/ready', '/v1/health/live']) {
    for (const target of [path, `http://petstore.test${path}`]) {
      await using connection = await open()
      connection.send(get('', target) + get('', target))
      const answer = await receive(connection, 'GET', path)
      assert.deepEqual([answer.status, answer.headers.connection], [200, 'close'])
      assert.equal(await connection.receive(), undefined)
    }
  }
})

it('beyond the maximum the oldest silent connections are closed, so that health is served during a flood of them', async () => {
  const { port, server, get, exchange } = await startFull()
  const flood = await Promise.all(Array.from({ length: 100 }, () => openConnection(port)))

  const health = await exchange(get('', '/health/live'), 'GET', '/health/live')

  assert.equal(health.status, 200)
  const count = await new Promise<number>((resolve) =>
    server.server.getConnections((_error, found) => resolve(found)),
  )
  assert.ok(count <= 2 + extrasMax, `${count} connections are held`)
  // The connections that remain have a second to send their request.
  for (const connection of flood) assert.equal((await connection.ended()).toString(), '')
  checkAnswer('GET', '/health/live', health)
})
