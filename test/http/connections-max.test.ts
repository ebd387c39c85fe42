import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { it } from 'node:test'
import { expectError } from '../harness/app.ts'
import { checkAnswer } from '../harness/contract.ts'
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
    async openKeyed() {
      const connection = await open()
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
  await until(() => logLines.some((line) => /[12] idle or slow connections were closed/.test(line)))
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

it('200: at the maximum those that read a response slowly without a key are closed before idle ones with a key', async () => {
  const { open, openKeyed, use, post, receive, server, port } = await startWithRoom(3)
  const accepted: Socket[] = []
  server.server.on('connection', (socket: Socket) => accepted.push(socket))
  const slow = [connect({ port, host: '127.0.0.1' }), connect({ port, host: '127.0.0.1' })]
  for (const socket of slow) {
    socket.on('error', () => undefined).pause()
    socket.write('GET /openapi.json HTTP/1.1\r\nHost: petstore.test\r\n\r\n'.repeat(100))
  }
  await until(
    () => accepted.length === 2 && accepted.every(({ writableLength }) => writableLength > 0),
  )
  await using busy = await open()
  busy.send(post(`Expect: 100-continue\r\n${withLength}`, ''))
  assert.equal((await busy.receive())?.status, 100)

  await until(async () => (await openKeyed().catch(() => undefined)) !== undefined)
  busy.send(aPetBody)
  assert.equal((await receive(busy, 'POST', '/v1/pets')).status, 201)
  const last = await openKeyed()

  for (const connection of [busy, last]) assert.equal((await use(connection)).status, 200)
  assert.ok(accepted[0]?.closed && accepted[1]?.closed)
  for (const socket of slow) socket.destroy()
})

it('200: at the maximum a part of a header block does not keep a connection open', async () => {
  const { openKeyed, use, get } = await startWithRoom(2)
  const [begun, other] = [await openKeyed(), await openKeyed()]
  begun.send(get().slice(0, 20))

  const newcomer = await openKeyed()

  assert.equal((await begun.ended()).toString(), '')
  for (const connection of [other, newcomer]) assert.equal((await use(connection)).status, 200)
})

it('200: at the maximum clients that connect at the same time do not close one another', async () => {
  const { openKeyed, open, get, receive } = await startWithRoom(3)
  for (let count = 0; count < 3; count++) await openKeyed()

  const burst = await Promise.all(Array.from({ length: 3 }, () => open()))
  for (const connection of burst) connection.send(get())

  for (const connection of burst)
    assert.equal((await receive(connection, 'GET', '/v1/pets')).status, 200)
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
  for (const { socket } of flood) socket.destroy()
  checkAnswer('GET', '/health/live', health)
})
