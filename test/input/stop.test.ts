import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startPetstore } from '../../src/start-petstore.ts'
import { aPet, expectError } from '../support/app.ts'
import { checkAnswer } from '../support/contract.ts'
import { openConnection } from '../support/raw-http.ts'

const body = JSON.stringify(aPet())
const stopMaxMs = 10_000

async function startStore() {
  const petstore = await startPetstore()
  const port = Number(new URL(petstore.baseUrl).port)
  const head = `HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${petstore.key}\r\n`
  return {
    ...petstore,
    port,
    get: `GET /v1/pets ${head}\r\n`,
    post: `POST /v1/pets ${head}Content-Length: ${body.length}\r\n\r\n${body}`,
  }
}

/** Resolves once nobody listens on the port. */
async function refusesConnections(port: number): Promise<void> {
  while (true) {
    try {
      await using _connection = await openConnection(port)
    } catch (error) {
      // A connection that was made just before may be reset.
      if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') return
    }
    await pause(5)
  }
}

it('503 while stopping: what is under way finishes, what is new is refused', async () => {
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
  await pause(50)

  const startedMs = performance.now()
  const stopped = close()
  await refusesConnections(port)
  assert.equal(await idle.receive(), undefined)
  keptAlive.send(get.slice(40))
  const refused = await keptAlive.receive()
  assert.ok(refused)
  checkAnswer('GET', '/v1/pets', refused)
  expectError(refused, 503, 'unavailable')
  assert.equal(refused.headers.connection, 'close')
  assert.equal(await keptAlive.receive(), undefined)
  underWay.send(post.slice(-5))
  const finished = await underWay.receive('POST')
  assert.ok(finished)
  checkAnswer('POST', '/v1/pets', finished)
  assert.equal(finished.status, 201)
  await stopped
  assert.equal(await underWay.receive(), undefined)
  assert.ok(performance.now() - startedMs < stopMaxMs)
})

it('a stop does not wait for connections that ask for nothing', async () => {
  const { port, get, close } = await startStore()
  const connections = await Promise.all(Array.from({ length: 200 }, () => openConnection(port)))
  for (const connection of connections.slice(100)) {
    connection.send(get)
    assert.equal((await connection.receive())?.status, 200)
  }
  const startedMs = performance.now()

  await close()

  // A few milliseconds; requests that hang are given 8 s.
  assert.ok(performance.now() - startedMs < 4_000)
  for (const connection of connections) await connection[Symbol.asyncDispose]()
})
