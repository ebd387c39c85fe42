import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { insertPets } from '../../src/features/pets/queries.ts'
import { startPetstore } from '../../src/start-petstore.ts'
import { aPet, expectError } from '../harness/app.ts'
import { checkAnswer } from '../harness/contract.ts'
import { itInFull } from '../harness/extent.ts'
import { openConnection, type RawAnswer, type RawConnection } from '../harness/raw-http.ts'
import { until } from '../harness/until.ts'
import { startListening } from './start-listening.ts'

const body = JSON.stringify(aPet())
const length = `Content-Length: ${body.length}\r\n`
const stopMaxMs = 60_000

async function startStore() {
  const petstore = await startPetstore()
  const port = Number(new URL(petstore.baseUrl).port)
  const head = `HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${petstore.key}\r\n`
  return {
    ...petstore,
    port,
    get: `GET /v1/pets ${head}\r\n`,
    post: `POST /v1/pets ${head}${length}\r\n${body}`,
  }
}

/** The next response, checked against the document; it must be the last of its connection. */
async function receiveLast(connection: RawConnection, method = 'GET', path = '/v1/pets') {
  const answer = await connection.receive(method)
  assert.ok(answer, 'the connection ended without an answer')
  checkAnswer(method, path, answer as RawAnswer)
  assert.equal(answer.headers.connection, 'close')
  assert.equal(await connection.receive(), undefined)
  assert.equal(connection.socket.errored, null)
  return answer
}

it('a stop without a drain serves requests that have begun to arrive, and closes idle connections', async () => {
  const { port, get, post, close } = await startStore()
  await using underWay = await openConnection(port)
  underWay.send(post.slice(0, -5))
  await using keptAlive = await openConnection(port)
  keptAlive.send(get)
  assert.equal((await keptAlive.receive())?.status, 200)
  keptAlive.send(get.slice(0, 40))
  await using idle = await openConnection(port)
  idle.send(get)
  assert.equal((await idle.receive())?.status, 200)
  await using silent = await openConnection(port)

  const startedMs = performance.now()
  const stopped = close()
  assert.equal(await idle.receive(), undefined)
  assert.equal(await silent.receive(), undefined)
  await assert.rejects(openConnection(port), { code: 'ECONNREFUSED' })
  keptAlive.send(get.slice(40))
  assert.equal((await receiveLast(keptAlive)).status, 200)
  underWay.send(post.slice(-5))
  assert.equal((await receiveLast(underWay, 'POST')).status, 201)
  await stopped
  assert.ok(performance.now() - startedMs < stopMaxMs)
})

it('a store in memory stops at once, whatever idle connections clients keep', async () => {
  let fastestMs = Number.POSITIVE_INFINITY
  for (let round = 0; round < 10; round++) {
    const { baseUrl, key, close } = await startPetstore()
    const answer = await fetch(`${baseUrl}/pets`, { headers: { authorization: `Bearer ${key}` } })
    assert.equal(await answer.text(), '[]')
    const startedMs = performance.now()
    await close()
    fastestMs = Math.min(fastestMs, performance.now() - startedMs)
  }

  // A busy machine delays some. The drain of other stores takes 500 ms.
  assert.ok(fastestMs < 400, `${fastestMs} ms`)
})

it('503 and 200: during a drain readiness fails and everything else is served, each response the last on its connection', async () => {
  const { connections, open, get, post, port } = await startListening()
  const [ready, other, inPieces, pipelined] = await Promise.all([open(), open(), open(), open()])
  for (const connection of [ready, other]) {
    connection.send(get())
    assert.equal((await connection.receive())?.status, 200)
  }
  inPieces.send(post(length, body.slice(0, -1)))
  const hurry = new AbortController()

  // Long enough for any machine: the drain is cut short once the test has what it needs.
  const drained = connections.drain({ drainMs: 60_000, hurry: hurry.signal, cutOffMs: 60_000 })
  ready.send(get('', '/health/ready'))
  expectError(await receiveLast(ready, 'GET', '/health/ready'), 503, 'unavailable')
  other.send(get())
  assert.equal((await receiveLast(other)).status, 200)
  inPieces.send(body.slice(-1))
  assert.equal((await receiveLast(inPieces, 'POST')).status, 201)
  pipelined.send(get() + post(length, body).repeat(5_000))
  assert.equal((await receiveLast(pipelined)).status, 200)
  await using late = await openConnection(port)
  late.send(get())
  const pets = await receiveLast(late)
  assert.equal(JSON.parse(pets.text).length, 1, 'behind the last answer nothing is done')
  hurry.abort()
  await drained
})

it('a drain without open connections ends at once', async () => {
  const { connections } = await startListening()
  const hurry = new AbortController()

  await connections.drain({ drainMs: 60_000, hurry: hurry.signal, cutOffMs: 60_000 })
})

it('a stop does not wait for a connection whose last body came behind its response', async () => {
  const { connections, server, open, post, key } = await startListening()
  const accepted = once(server.server, 'connection') as Promise<[Socket]>
  await using early = await open()
  const [socket] = await accepted
  const request = post(length, body).replace(key, 'pet_test_1')
  early.send(request.slice(0, -body.length))
  assert.equal((await early.receive())?.status, 401)
  early.send(body)
  await until(() => socket.bytesRead === request.length)
  const startedMs = performance.now()

  await connections.drain({ drainMs: 0, hurry: AbortSignal.abort(), cutOffMs: stopMaxMs })

  assert.ok(performance.now() - startedMs < stopMaxMs / 2)
})

it('a stop resets connections that do not finish: half a request, or a response that is not read', async () => {
  const { connections, open, get } = await startListening()
  await using half = await open({ allowHalfOpen: true })
  half.send(get().slice(0, 20))
  await using whole = await open()
  whole.send(get())
  await whole.receive()

  const hurry = AbortSignal.abort()
  await connections.drain({ drainMs: 1, hurry, cutOffMs: 200 })

  assert.equal(await half.receive(), undefined)
})

itInFull('a stop does not wait for connections that request nothing', async () => {
  const { port, get, close } = await startStore()
  const connections = await Promise.all(Array.from({ length: 200 }, () => openConnection(port)))
  for (const connection of connections.slice(100)) {
    connection.send(get)
    assert.equal((await connection.receive())?.status, 200)
  }
  const startedMs = performance.now()

  await close()

  // A few milliseconds; unfinished requests would be given 7.5 s.
  assert.ok(performance.now() - startedMs < 4_000)
  for (const connection of connections) await connection[Symbol.asyncDispose]()
})

it('200: a client that sends more behind its last request gets the whole response', async () => {
  const { context, server, connections, open, get, post } = await startListening()
  const newPet = { name: '🐈'.repeat(1_000), categoryId: 7n }
  await Promise.all(Array.from({ length: 100 }, () => context.db.write(insertPets, newPet)))
  const accepted = once(server.server, 'connection') as Promise<[Socket]>
  await using client = await open()
  const [socket] = await accepted
  const hurry = new AbortController()
  const drained = connections.drain({ drainMs: 60_000, hurry: hurry.signal, cutOffMs: 60_000 })

  client.socket.pause()
  client.send(
    get('', '/v1/pets?limit=100') + post('Content-Length: 500000\r\n', 'a'.repeat(500_000)),
  )
  await once(socket, 'finish')
  await new Promise(setImmediate)
  client.socket.resume()

  const closed = once(socket, 'close')
  const answer = await receiveLast(client)
  assert.equal(JSON.parse(answer.text).length, 100)
  await closed
  assert.ok(socket.bytesRead > 500_000, `${socket.bytesRead} bytes were read`)
  hurry.abort()
  await drained
})

it('200: the port stays open while clients go on connecting', async () => {
  const { connections, open, get } = await startListening()
  await using first = await open()
  const opened: RawConnection[] = []

  const { signal } = new AbortController()
  const drained = connections.drain({ drainMs: 1, hurry: signal, cutOffMs: 60_000 })
  while (opened.length < 20) {
    const next = await open()
    next.send(get())
    opened.push(next)
    await pause(1)
  }

  for (const connection of opened) assert.equal((await receiveLast(connection)).status, 200)
  assert.equal(await first.receive(), undefined)
  await drained
})
