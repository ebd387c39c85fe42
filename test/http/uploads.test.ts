import assert from 'node:assert/strict'
import { it } from 'node:test'
import { photoBytesMax } from '../../src/features/photos/contract.ts'
import { expectError } from '../harness/app.ts'
import { png } from '../harness/pictures.ts'
import { chunks, lastChunk, startListening } from './start-listening.ts'

const path = '/v1/pets/1/photo'
const picture = png()

const head = (key: string, headers: string) =>
  `PUT ${path} HTTP/1.1\r\nHost: petstore.test\r\nAuthorization: Bearer ${key}\r\nContent-Type: image/png\r\n${headers}\r\n`

it('503: a fifth upload of a key, and a seventeenth of all, until one has ended', async () => {
  const { api, key, issueKey, open, get, receive, exchange } = await startListening()
  await api.createPet()
  const keys = [key, await issueKey(), await issueKey(), await issueKey(), await issueKey()]
  // A key that is known already is checked at once.
  for (const by of keys) await exchange(get().replace(key, by), 'GET', '/v1/pets')
  const length = `Content-Length: ${picture.length}\r\n`
  const whole = (by: string) => Buffer.concat([Buffer.from(head(by, length)), picture])
  const send = (by: string) => exchange(whole(by), 'PUT', path)
  const begin = async (by: string) => {
    const connection = await open()
    connection.send(head(by, `${length}Expect: 100-continue\r\n`))
    // From then on it counts.
    assert.equal((await connection.receive())?.status, 100)
    connection.send(picture.subarray(0, 10))
    return connection
  }
  const [first, ...others] = await Promise.all([0, 1, 2, 3].map(() => begin(key)))

  expectError(await send(key), 503, 'unavailable')
  const more = await Promise.all(
    keys.slice(1, 4).flatMap((by) => [0, 1, 2, 3].map(() => begin(by))),
  )
  expectError(await send(keys[4] ?? ''), 503, 'unavailable')
  first?.send(picture.subarray(10))
  assert.equal((await receive(first as NonNullable<typeof first>, 'PUT', path)).status, 201)
  assert.equal((await send(keys[4] ?? '')).status, 200)

  // What is not sent to its end stores nothing, and is no upload any more.
  for (const connection of [...others, ...more]) await connection.reset()
  assert.equal((await send(key)).status, 200)
})

it('413: a body that is a little too large is read to its end, also of a client that reads only then', async () => {
  const { api, key, open, receive, expectServes } = await startListening()
  await api.createPet()
  const body = Buffer.alloc(photoBytesMax + 1, 'a')
  const piece = chunks(body.subarray(0, 1_048_576).toString())

  for (const headers of ['', 'Connection: close\r\n']) {
    for (const request of [
      Buffer.concat([Buffer.from(head(key, `${headers}Content-Length: ${body.length}\r\n`)), body]),
      Buffer.from(
        `${head(key, `${headers}Transfer-Encoding: chunked\r\n`)}${piece.repeat(5)}${lastChunk}`,
      ),
    ]) {
      await using connection = await open()
      connection.socket.pause()
      for (let at = 0; at < request.length; at += 262_144) {
        const isTaken = connection.socket.write(request.subarray(at, at + 262_144))
        if (!isTaken) await new Promise((resolve) => connection.socket.once('drain', resolve))
      }
      connection.socket.resume()
      expectError(await receive(connection, 'PUT', path), 413, 'body_too_large')
    }
  }
  await expectServes(1)
})
