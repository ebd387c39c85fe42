import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError } from '../harness/app.ts'
import { checkAnswer } from '../harness/contract.ts'
import { openConnection } from '../harness/raw-http.ts'
import { startListening } from './start-listening.ts'

/** How many connections beyond the most are read at once. */
const extrasMax = 32

/** A service at its most, two connections. */
async function startFull() {
  const service = await startListening({ PETSTORE_CONNECTIONS_MAX: '2' })
  const held = await Promise.all([service.open(), service.open()])
  for (const connection of held) {
    connection.send(service.get())
    assert.equal((await connection.receive())?.status, 200)
  }
  return { ...service, held }
}

it('503: a connection beyond the most is told so and ended; those before it are served', async () => {
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
  // The service notices the end of a connection a moment later.
  for (let status = 503; status === 503; ) {
    await using next = await open()
    next.send(get())
    status = (await receive(next, 'GET', '/v1/pets')).status
  }
})

it('200: health is answered beyond the most, one request for each connection', async () => {
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

it('beyond the most, the oldest connections make room: health is answered under a flood of silent ones', async () => {
  const { port, server, get, exchange } = await startFull()
  const flood = await Promise.all(Array.from({ length: 100 }, () => openConnection(port)))

  const health = await exchange(get('', '/health/live'), 'GET', '/health/live')

  assert.equal(health.status, 200)
  const count = await new Promise<number>((resolve) =>
    server.server.getConnections((_error, found) => resolve(found)),
  )
  assert.ok(count <= 2 + extrasMax, `${count} connections are held`)
  // Those that are left have a second for their request.
  for (const connection of flood) assert.equal((await connection.ended()).toString(), '')
  checkAnswer('GET', '/health/live', health)
})
