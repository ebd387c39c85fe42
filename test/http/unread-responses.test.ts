import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { it } from 'node:test'
import { insertPets } from '../../src/features/pets/queries.ts'
import { until } from '../harness/until.ts'
import { startListening } from './start-listening.ts'

/** More pages of 400 KB than the kernel buffers for a client that reads nothing. */
const pages = 15
/** About two seconds. */
const closedMaxMs = 60_000

it('PETSTORE_RESPONSE_TIMEOUT_MS: clients that stop reading are disconnected, those that read are served', async () => {
  const { context, server, port, get, open, receive, logLines, expectServes } =
    await startListening({
      PETSTORE_RESPONSE_TIMEOUT_MS: '200',
    })
  const name = '🐈'.repeat(1_000)
  const newPet = { name, categoryId: 7n }
  await Promise.all(Array.from({ length: 100 }, () => context.db.write(insertPets, newPet)))
  const getPage = get('', '/v1/pets?limit=100')
  const deaf: Socket[] = []
  const accepted: Socket[] = []
  server.server.on('connection', (socket: Socket) => accepted.push(socket))
  const signal = AbortSignal.timeout(closedMaxMs)
  const closed = (socket: Socket) => (socket.closed ? undefined : once(socket, 'close', { signal }))

  for (const more of ['', 'GARBAGE\r\n\r\n', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n']) {
    for (const isHalfOpen of [false, true]) {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      socket
        .on('error', () => undefined)
        .pause()
        .unref()
      socket.write(getPage.repeat(pages) + more)
      if (isHalfOpen) socket.end()
      deaf.push(socket)
    }
  }
  await until(() => accepted.length === deaf.length)
  await Promise.all(accepted.map(closed))

  await using reader = await open()
  reader.send(getPage.repeat(pages))
  for (let left = pages; left > 0; left--) {
    const answer = await receive(reader, 'GET', '/v1/pets')
    assert.equal(JSON.parse(answer.text).length, 100)
  }
  assert.match(logLines.join(''), /\d connections were reset: nobody read the responses within/)
  for (const socket of deaf) socket.destroy()
  await expectServes(20)
})
