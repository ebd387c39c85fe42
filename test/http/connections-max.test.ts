import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError } from '../harness/app.ts'
import { checkAnswer } from '../harness/contract.ts'
import { openConnection } from '../harness/raw-http.ts'
import { until } from '../harness/until.ts'
import { startListening } from './start-listening.ts'

/** How many connections beyond the maximum are read at the same time. */
const extrasMax = 32

/** A service whose maximum of two connections is reached. */
async function startFull() {
  const service = await startListening({ PETSTORE_CONNECTIONS_MAX: '2' })
  const held = await Promise.all([service.open(), service.open()])
  for (const connection of held) {
    connection.send(service.get())
    assert.equal((await connection.receive())?.status, 200)
  }
  return { ...service, held }
}

it('503: a connection beyond the maximum gets a response and is closed; earlier ones are served', async () => {
  const { held, exchange, get, post, receive, open } = await startFull()

  for (const bytes of [get(), get('', '/nothing'), post('Content-Length: 5\r\n', '')]) {
    const refused = await exchange(bytes, bytes.slice(0, 4).trim(), '/v1/pets')
    expectError(refused, 503, 'unavailable')
    assert.equal(refused.headers.connection, 'close')
  }
  const head = await exchange(get().replace('GET', 'HEAD'), 'HEAD', '/v1/pets')
  assert.deepEqual([head.status, head.text], [503, ''])
  for (const connection of held) {
    connection.send(get())
    assert.equal((await receive(connection, 'GET', '/v1/pets')).status, 200)
  }
  const [first] = held
  await first?.[Symbol.asyncDispose]()
  // The service notices a moment later that a connection was closed.
  await until(async () => {
    await using next = await open()
    next.send(get())
    return (await receive(next, 'GET', '/v1/pets')).status === 200
  })
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
