import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { it } from 'node:test'
import { petsList } from '../../src/features/pets/queries.ts'
import { startListening } from './start-listening.ts'

const workedOnMax = 16

/** A service whose database answers once it is let, and counts how many requests for pets it works on. */
async function startCounting() {
  const app = await startListening()
  const { promise, resolve } = Promise.withResolvers<void>()
  const working = { now: 0, max: 0 }
  const { read } = app.context.db
  const counted = async (...args: Parameters<typeof read>) => {
    // Keys are read now and then.
    if (args[0] !== petsList.select) return await read(...args)
    working.now += 1
    working.max = Math.max(working.max, working.now)
    await promise
    try {
      return await read(...args)
    } finally {
      working.now -= 1
    }
  }
  Object.assign(app.context.db, { read: counted })
  return { ...app, working, letGo: resolve }
}

it('sixteen requests of a connection are worked on at once, and all answered in their order', async () => {
  const { open, get, receive, working, letGo, expectServes } = await startCounting()
  await using connection = await open()
  const count = 300

  const requests = Array.from({ length: count }, (_, id) => get(`X-Request-Id: ${id}\r\n`))
  connection.send(requests.join(''))
  while (working.now < workedOnMax) await new Promise(setImmediate)
  letGo()

  for (let id = 0; id < count; id++) {
    const answer = await receive(connection, 'GET', '/v1/pets')
    assert.equal(`${answer.status} ${answer.headers['x-request-id']}`, `200 ${id}`)
  }
  assert.equal(working.max, workedOnMax)
  await expectServes()
})

it('a connection whose requests wait is not read', async () => {
  const { server, open, get, receive, working, letGo, expectServes } = await startCounting()
  const accepted = once(server.server, 'connection') as Promise<[Socket]>
  await using connection = await open()
  const [socket] = await accepted
  const request = get(`X-Padding: ${'a'.repeat(8_000)}\r\n`)
  const count = 640

  connection.send(request.repeat(count))
  while (working.now < workedOnMax) await new Promise(setImmediate)
  await using other = await open()
  for (let turns = 0; turns < 100; turns++) {
    other.send(get('', '/health/live'))
    await receive(other, 'GET', '/health/live')
  }
  // Some 64 KiB are read at once.
  assert.ok(socket.bytesRead < 512 * 1024, `${socket.bytesRead} bytes were read`)
  letGo()

  for (let left = count; left > 0; left--) {
    assert.equal((await receive(connection, 'GET', '/v1/pets')).status, 200)
  }
  await expectServes()
})

it('a bad request behind many that wait is answered last', async () => {
  const { open, get, receive, working, letGo, expectServes } = await startCounting()
  await using connection = await open()

  connection.send(`${get().repeat(40)}GARBAGE\r\n\r\n`)
  while (working.now < workedOnMax) await new Promise(setImmediate)
  letGo()

  for (let left = 40; left > 0; left--) {
    assert.equal((await receive(connection, 'GET', '/v1/pets')).status, 200)
  }
  assert.equal((await receive(connection)).status, 400)
  assert.equal(await connection.receive(), undefined)
  await expectServes()
})

it('requests that wait when their client is gone are not begun', async () => {
  const { open, post, working, letGo, expectServes, get } = await startCounting()
  await using connection = await open()
  const body = '{"name":"Rex","categoryId":7}'

  connection.send(get().repeat(20) + post(`Content-Length: ${body.length}\r\n`, body))
  while (working.now < workedOnMax) await new Promise(setImmediate)
  await connection.reset()
  letGo()

  await expectServes(0)
})
