import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { aPet, expectError } from '../harness/app.ts'
import { chunks, startListening } from './start-listening.ts'

const body = JSON.stringify(aPet())
const length = `Content-Length: ${body.length}\r\n`
const chunked = 'Transfer-Encoding: chunked\r\n'

/** A service whose database waits for a signal; until then every request for pets is pending. */
async function startHeldUp(settings?: Record<string, string>) {
  const app = await startListening(settings)
  const { promise, resolve } = Promise.withResolvers<void>()
  const { read, write } = app.context.db
  const heldUp =
    <A extends unknown[], R>(verb: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      await promise
      return await verb(...args)
    }
  Object.assign(app.context.db, { read: heldUp(read), write: heldUp(write) })
  return { ...app, letGo: resolve }
}

it('pipelining: responses come in the order of their requests', async () => {
  const { api, open, get, post, receive, expectServes } = await startListening()
  await api.createPet()
  await using connection = await open()
  const targets = [
    '/v1/pets',
    '/v1/pets/1',
    '/v1/pets?limit=0',
    '/health/live',
    '/nothing',
    '/v1/pets/%ff',
  ]

  const requests = targets.map((target, index) => get(`X-Request-Id: ${index}\r\n`, target))
  connection.send(post(`X-Request-Id: first\r\n${length}`, body) + requests.join(''))

  const first = await receive(connection, 'POST', '/v1/pets')
  assert.equal(`${first.status} ${first.headers['x-request-id']}`, '201 first')
  const statuses: number[] = []
  for (const [index, target] of targets.entries()) {
    const answer = await receive(connection, 'GET', target.split('?')[0])
    assert.equal(answer.headers['x-request-id'], String(index))
    statuses.push(answer.status)
  }
  assert.deepEqual(statuses, [200, 200, 400, 200, 404, 400])
  await expectServes(2)
})

it('pipelining: a bad request behind a good one is answered last, and the good one completely', async () => {
  const { open, get, post, receive, letGo, expectServes } = await startHeldUp()
  const badOnes: [bytes: string, status: number, path?: string][] = [
    ['GARBAGE\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    [post(chunked, 'zz\r\n'), 400, '/v1/pets'],
    [`${get()}GARBAGE\r\n\r\n`, 200, '/v1/pets'],
  ]
  const connections = await Promise.all(badOnes.map(() => open()))

  for (const [index, [bytes]] of badOnes.entries()) {
    connections[index]?.send(post(length, body) + bytes)
  }
  await pause(50)
  letGo()

  for (const [index, [bytes, status, path]] of badOnes.entries()) {
    await using connection = connections[index] ?? assert.fail()
    assert.equal((await receive(connection, 'POST', '/v1/pets')).status, 201, bytes.slice(0, 80))
    const answer = await receive(
      connection,
      path && !bytes.startsWith('GET') ? 'POST' : 'GET',
      path,
    )
    assert.equal(answer.status, status, bytes.slice(0, 80))
    if (status === 200) expectError(await receive(connection), 400, 'invalid_request')
    assert.equal((await connection.ended()).toString(), '', 'nothing follows')
  }
  await expectServes(badOnes.length)
})

it('one response per request: an error in its body after the response closes the connection', async () => {
  const { open, receive, expectServes } = await startListening()
  await using connection = await open()

  connection.send(`POST /v1/pets HTTP/1.1\r\nHost: petstore.test\r\n${chunked}\r\n${chunks('{')}`)
  expectError(await receive(connection, 'POST', '/v1/pets'), 401, 'missing_api_key')
  connection.send('zz\r\n')

  assert.equal(await connection.receive(), undefined)
  await expectServes()
})

it('a Content-Length that is too short: the rest of the body is not read as a request', async () => {
  const { open, post, receive, expectServes } = await startListening()
  await using connection = await open()

  connection.send(post('Content-Length: 10\r\n', body))

  expectError(await receive(connection, 'POST', '/v1/pets'), 400, 'invalid_json')
  expectError(await receive(connection), 400, 'invalid_request')
  assert.equal(await connection.receive(), undefined)
  await expectServes()
})

it('400: a client that ends its side within a request; one that ends it behind a request gets no response', async () => {
  const { open, get, post, receive, letGo, expectServes } = await startHeldUp()
  const send = async (bytes: string) => {
    const connection = await open({ allowHalfOpen: true })
    connection.send(bytes)
    connection.socket.end()
    return connection
  }
  await using whole = await send(post(length, body))
  await using halfHeader = await send(get().slice(0, -10))
  await using halfBody = await send(post(length, body.slice(0, -1)))
  await using halfChunk = await send(post(chunked, chunks(body)))

  expectError(await receive(halfHeader), 400, 'invalid_request')
  expectError(await receive(halfBody, 'POST', '/v1/pets'), 400, 'invalid_request')
  expectError(await receive(halfChunk, 'POST', '/v1/pets'), 400, 'invalid_request')
  for (const connection of [whole, halfHeader, halfBody, halfChunk]) {
    assert.equal(await connection.receive(), undefined)
  }
  letGo()
  await expectServes(1)
})

it('a client reset: no partial request is stored, nothing is logged as an error, and the service goes on', async () => {
  const { open, get, post, expectServes } = await startListening()

  for (const bytes of [
    '',
    get().slice(0, 20),
    post(length, body.slice(0, -1)),
    post(chunked, chunks(body)),
    post('Content-Length: 10000000\r\n', 'a'.repeat(100_000)),
    'GARBAGE\r\n\r\n',
    'CONNECT petstore.test:1 HTTP/1.1\r\nHost: petstore.test\r\n\r\n',
    `${get()}CONNECT petstore.test:1 HTTP/1.1\r\nHost: petstore.test\r\n\r\n`,
  ]) {
    // The reset arrives before, during and after the service reads the request.
    for (const waitMs of [0, 0, 1, 5]) {
      await using connection = await open()
      connection.send(bytes)
      if (waitMs > 0) await pause(waitMs)
      await connection.reset()
    }
  }
  await expectServes()
})

it('a client reset during its request: a complete request may be stored', async () => {
  const { open, get, post, letGo, expectServes } = await startHeldUp()

  for (const bytes of [get(), post(length, body), get() + get()]) {
    await using connection = await open()
    connection.send(bytes)
    await pause(20)
    await connection.reset()
  }
  letGo()
  await expectServes(1)
})

it('413: a client that uploads 10 MB can read the refusal', async () => {
  const { open, post, receive, expectServes } = await startListening()
  const size = 10_000_000
  const half = Buffer.alloc(size / 2, 'a')

  for (const round of [1, 2, 3]) {
    for (const head of [post(`Content-Length: ${size}\r\n`, ''), post(chunked, '989680\r\n')]) {
      await using connection = await open()
      connection.send(head)
      connection.send(half)
      connection.send(half)
      const answer = await receive(connection, 'POST', '/v1/pets')
      expectError(answer, 413, 'body_too_large')
      assert.equal(connection.socket.errored, null, `round ${round}`)
    }
  }
  await expectServes()
})

it('408: headers and bodies that arrive too slowly, however they are split', async () => {
  const { open, get, post, receive, expectServes } = await startListening({
    PETSTORE_HEADERS_TIMEOUT_MS: '300',
    PETSTORE_REQUEST_TIMEOUT_MS: '600',
  })
  const late = async (bytes: string, trickle: string, path?: string) => {
    await using connection = await open()
    connection.send(bytes)
    const timer = setInterval(() => connection.send(trickle), 100)
    const answer = await receive(connection, path ? 'POST' : 'GET', path).finally(() =>
      clearInterval(timer),
    )
    expectError(answer, 408, 'request_timeout')
    assert.equal(answer.headers.connection, 'close')
    assert.equal(await connection.receive(), undefined)
  }

  await Promise.all([
    late('', ''),
    late('GET /v1/pets\r\n', ''),
    late('\r\n', '\r\n'),
    late(get().slice(0, -2), ''),
    late(get().slice(0, -2), 'X-A: 1\r\n'),
    late(post(length, body.slice(0, -1)), '', '/v1/pets'),
    late(post('Content-Length: 1000\r\n', '{'), ' ', '/v1/pets'),
    late(post(chunked, chunks('{')), chunks(' '), '/v1/pets'),
    late(post(chunked, 'fffffff\r\n'), ' ', '/v1/pets'),
  ])
  await expectServes()
})
