import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { it } from 'node:test'
import { petsList } from '../../src/features/pets/queries.ts'
import { aPet } from '../harness/app.ts'
import { until } from '../harness/until.ts'
import { chunks, lastChunk, startListening } from './start-listening.ts'

const body = JSON.stringify(aPet())

/** A service whose database waits for a signal, and that counts its requests for pets in progress. */
async function startCounting(settings: Record<string, string> = {}) {
  const app = await startListening(settings)
  const { promise, resolve } = Promise.withResolvers<void>()
  const working = { now: 0, max: 0, begun: 0 }
  const { read } = app.context.db
  const counted = async (...args: Parameters<typeof read>) => {
    // Keys are read now and then.
    if (args[0] !== petsList.select) return await read(...args)
    working.now += 1
    working.begun += 1
    working.max = Math.max(working.max, working.now)
    await promise
    try {
      return await read(...args)
    } finally {
      working.now -= 1
    }
  }
  Object.assign(app.context.db, { read: counted })
  /** Releases all requests when the test fails, so that the service can end. */
  const untilWorking = (count: number) =>
    until(() => working.now >= count).catch((error) => {
      resolve()
      throw error
    })
  return { ...app, working, untilWorking, letGo: resolve }
}

it('requests of a connection run one after another, and are answered in order', async () => {
  const { open, get, receive, working, untilWorking, letGo, expectServes } = await startCounting()
  await using connection = await open()
  const count = 300

  const requests = Array.from({ length: count }, (_, id) => get(`X-Request-Id: ${id}\r\n`))
  connection.send(requests.join(''))
  await untilWorking(1)
  letGo()

  for (let id = 0; id < count; id++) {
    const answer = await receive(connection, 'GET', '/v1/pets')
    assert.equal(`${answer.status} ${answer.headers['x-request-id']}`, `200 ${id}`)
  }
  assert.equal(working.max, 1)
  await expectServes()
})

it('a connection with waiting requests is not read, not even after responses that nobody had read', async () => {
  const { server, open, get, receive, untilWorking, letGo, expectServes } = await startCounting()
  const accepted = once(server.server, 'connection') as Promise<[Socket]>
  await using connection = await open()
  const [socket] = await accepted
  const request = get(`X-Padding: ${'a'.repeat(8_000)}\r\n`)
  const count = 640
  // More bytes than the buffers of both sides hold.
  const documents = 40

  connection.socket.pause()
  connection.send(get('', '/v1/openapi.json').repeat(documents))
  await until(() => socket.writableLength > 0)
  connection.send(get().repeat(40) + request.repeat(count))
  await until(() => socket.isPaused())
  connection.socket.resume()
  for (let left = documents; left > 0; left--) {
    assert.equal((await connection.receive())?.status, 200)
  }
  await untilWorking(1)
  await using other = await open()
  for (let turns = 0; turns < 100; turns++) {
    other.send(get('', '/health/live'))
    await receive(other, 'GET', '/health/live')
  }
  // About 64 KiB are read at once.
  assert.ok(socket.bytesRead < 512 * 1024, `${socket.bytesRead} bytes were read`)
  letGo()

  for (let left = count + 40; left > 0; left--) {
    assert.equal((await receive(connection, 'GET', '/v1/pets')).status, 200)
  }
  await expectServes()
})

it('a bad request behind many waiting ones is answered last', async () => {
  const { open, get, receive, untilWorking, letGo, expectServes } = await startCounting()
  await using connection = await open()

  connection.send(`${get().repeat(40)}GARBAGE\r\n\r\n`)
  await untilWorking(1)
  letGo()

  for (let left = 40; left > 0; left--) {
    assert.equal((await receive(connection, 'GET', '/v1/pets')).status, 200)
  }
  assert.equal((await receive(connection)).status, 400)
  assert.equal(await connection.receive(), undefined)
  await expectServes()
})

it('the bodies of waiting requests arrive', async () => {
  const { open, get, post, receive, untilWorking, letGo, expectServes } = await startCounting()
  await using connection = await open()
  const create = post(`Content-Length: ${body.length}\r\n`, body)
  const chunked = post('Transfer-Encoding: chunked\r\n', chunks(body) + lastChunk)
  const kinds = [create, chunked, get(), post('Content-Length: 0\r\n', '')]
  const sent = Array.from({ length: 100 }, (_, index) => kinds[index % kinds.length])

  connection.send(get() + sent.join(''))
  await untilWorking(1)
  letGo()

  assert.equal((await receive(connection, 'GET', '/v1/pets')).status, 200)
  const statuses = [201, 201, 200, 400]
  for (const [index, bytes] of sent.entries()) {
    const answer = await receive(connection, bytes?.split(' ', 1)[0], '/v1/pets')
    assert.equal(answer.status, statuses[index % statuses.length])
  }
  await expectServes(20)
})

it('waiting requests of a reset connection are not started', async () => {
  const { server, open, get, working, letGo, expectServes } = await startCounting()
  letGo()
  server.server.once('request', (request, response) =>
    response.once('finish', () => request.socket.destroy()),
  )
  await using connection = await open()

  connection.send(get().repeat(40))
  await connection.ended()
  await expectServes()

  assert.equal(working.begun, 2)
})
