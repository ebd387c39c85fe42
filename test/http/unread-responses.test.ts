import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { it } from 'node:test'
import { insertPets, petsList } from '../../src/features/pets/queries.ts'
import { aPet } from '../harness/app.ts'
import { amount } from '../harness/extent.ts'
import { until } from '../harness/until.ts'
import { startListening } from './start-listening.ts'

/** More pages of 400 KB than the kernel buffers for a client that reads nothing. */
const pages = 15
/** About two seconds. */
const closedMaxMs = 60_000

/** A service with pages of 400 KB, the connections that it has accepted, and clients that read nothing. */
async function startWithLargePages(settings?: Record<string, string>) {
  const service = await startListening(settings)
  const newPet = { name: '🐈'.repeat(1_000), categoryId: 7n }
  await Promise.all(Array.from({ length: 100 }, () => service.context.db.write(insertPets, newPet)))
  const accepted: Socket[] = []
  service.server.server.on('connection', (socket: Socket) => accepted.push(socket))
  const deaf: Socket[] = []
  return {
    ...service,
    accepted,
    getPage: service.get('', '/v1/pets?limit=100'),
    sendDeaf(bytes: string, { isHalfOpen = false } = {}) {
      const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true })
      socket
        .on('error', () => undefined)
        .pause()
        .unref()
      socket.write(bytes)
      if (isHalfOpen) socket.end()
      deaf.push(socket)
    },
    closeDeaf() {
      for (const socket of deaf) socket.destroy()
    },
  }
}

it('PETSTORE_RESPONSE_TIMEOUT_MS: clients that stop reading are disconnected, those that read are served', async () => {
  const { accepted, getPage, sendDeaf, closeDeaf, open, receive, logLines, expectServes } =
    await startWithLargePages({ PETSTORE_RESPONSE_TIMEOUT_MS: '200' })

  for (const more of ['', 'GARBAGE\r\n\r\n']) {
    for (const isHalfOpen of [false, true]) sendDeaf(getPage.repeat(pages) + more, { isHalfOpen })
  }
  await until(() => accepted.length === 4 && accepted.every(({ closed }) => closed), closedMaxMs)

  await using reader = await open()
  reader.send(getPage.repeat(pages))
  for (let left = pages; left > 0; left--) {
    const answer = await receive(reader, 'GET', '/v1/pets')
    assert.equal(JSON.parse(answer.text).length, 100)
  }
  assert.match(logLines.join(''), /\d connections were reset: nobody read the responses within/)
  closeDeaf()
  await expectServes(20)
})

it('200, 201: clients of a key that read nothing, however many, hold up none of its other requests', async () => {
  const { server, open, get, post, exchange } = await startListening()
  const body = JSON.stringify(aPet())
  const create = post(`Content-Length: ${body.length}\r\n`, body)
  const count = amount({ quick: 300, full: 800 })
  const accepted: Socket[] = []
  const block = (socket: Socket) => {
    // As when the buffers of the kernel are full, each of which takes megabytes.
    accepted.push(Object.assign(socket, { _write: () => undefined, _writev: () => undefined }))
  }
  server.server.on('connection', block)
  const deaf = await Promise.all(Array.from({ length: count }, () => open()))
  await until(() => accepted.length === count)
  server.server.off('connection', block)
  for (const connection of deaf) connection.send(get())
  await until(() => accepted.every(({ writableLength }) => writableLength > 0))

  for (let left = 20; left > 0; left--) {
    assert.equal((await exchange(create, 'POST', '/v1/pets')).status, 201)
    assert.equal((await exchange(get(), 'GET', '/v1/pets')).status, 200)
  }
  assert.ok(accepted.every(({ closed }) => !closed))
  for (const { socket } of deaf) socket.destroy()
})

it('of pages that pipelining clients do not read, each connection prepares one', async () => {
  const { context, accepted, getPage, sendDeaf, closeDeaf } = await startWithLargePages()
  let begun = 0
  const { read } = context.db
  Object.assign(context.db, {
    read: (...input: Parameters<typeof read>) => {
      if (input[0] === petsList.select) begun += 1
      return read(...input)
    },
  })
  const count = 60
  const pageBytes = 400_000

  for (let left = count; left > 0; left--) sendDeaf(getPage.repeat(50))
  await until(
    () => accepted.length === count && accepted.every(({ writableLength }) => writableLength > 0),
  )

  const handedOver = accepted.map(({ bytesWritten }) => Math.ceil(bytesWritten / pageBytes))
  assert.ok(begun <= handedOver.reduce((sum, one) => sum + one), `${begun}, ${handedOver}`)
  for (const { writableLength } of accepted)
    assert.ok(writableLength <= 65_536, `${writableLength} bytes wait on a connection`)
  closeDeaf()
})
