import assert from 'node:assert/strict'
import { it } from 'node:test'
import { systemRandom } from '../../src/context/context.ts'
import { mintKey } from '../../src/features/keys/key-format.ts'
import type { RawConnection } from '../harness/raw-http.ts'
import { startListening } from './start-listening.ts'

const connectionCount = 40
const pet = '/v1/pets/1'
const pets = '/v1/pets'

/** Connections whose first request had a wrong key, and the targets of later requests in the order in which they begin. */
async function startRefusing() {
  const begun: string[] = []
  const app = await startListening(
    {},
    { observers: [{ started: ({ request }) => begun.push(request?.url ?? '') }] },
  )
  const wrong = () => {
    const key = mintKey('staging', systemRandom)
    return `GET ${pet} HTTP/1.1\r\nHost: petstore.test\r\nAuthorization: Bearer ${key}\r\n\r\n`
  }
  const isRefused = async (connection: RawConnection) =>
    assert.equal((await app.receive(connection, 'GET', pet)).status, 401)
  const isServed = async (connection: RawConnection) =>
    assert.equal((await app.receive(connection, 'GET', pets)).status, 200)
  const connections = await Promise.all(
    Array.from({ length: connectionCount }, async () => {
      const connection = await app.open()
      connection.send(wrong())
      await isRefused(connection)
      return connection
    }),
  )
  return { ...app, begun, wrong, isRefused, isServed, connections }
}

it('200: a request with a good key begins before those of connections that sent wrong keys', async () => {
  const { open, get, begun, wrong, isRefused, isServed, connections } = await startRefusing()
  await using good = await open()
  good.send(get())
  await isServed(good)
  begun.length = 0

  for (const connection of connections) connection.send(wrong())
  good.send(get())

  await isServed(good)
  const place = begun.indexOf(pets)
  assert.ok(place < connectionCount / 2, `${place} requests with wrong keys began earlier`)
  for (const connection of connections) await isRefused(connection)
})

it('200: a connection on which a good key follows a wrong one no longer waits', async () => {
  const { get, begun, wrong, isRefused, isServed, connections } = await startRefusing()
  const [good, ...others] = connections
  assert.ok(good)
  good.send(get())
  await isServed(good)
  begun.length = 0

  for (const connection of others) connection.send(wrong())
  good.send(get())

  await isServed(good)
  assert.ok(begun.indexOf(pets) < connectionCount / 2)
  for (const connection of others) await isRefused(connection)
})

it('401: of pipelined requests with wrong keys each connection has one in line, and all are refused', async () => {
  const { begun, wrong, isRefused, connections } = await startRefusing()
  const each = 5
  begun.length = 0

  for (const connection of connections) connection.send(wrong().repeat(each))

  for (const connection of connections) {
    for (let index = 0; index < each; index++) await isRefused(connection)
  }
  assert.equal(begun.length, connectionCount * each)
})

it('401: a connection that is reset while its request is in line does not hold up the others', async () => {
  const { wrong, isRefused, connections } = await startRefusing()

  for (const connection of connections) connection.send(wrong())
  const [first, ...others] = connections.toReversed()
  first?.reset()

  for (const connection of others) await isRefused(connection)
})
