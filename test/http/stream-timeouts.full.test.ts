import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineOperation } from '../../src/contract/operation.ts'
import { serviceTag } from '../../src/contract/tags.ts'
import * as Type from '../../src/contract/type.ts'
import { implement } from '../../src/http/implement.ts'
import { until } from '../harness/until.ts'
import { createRecord, inventedOperations } from './invented-operations.ts'
import { chunks, lastChunk, startListening } from './start-listening.ts'

/** The limits are checked each second. */
const limitMs = 1_500
const pieces = 8

const settings = {
  PETSTORE_HEADERS_TIMEOUT_MS: String(limitMs),
  PETSTORE_REQUEST_TIMEOUT_MS: String(limitMs),
  PETSTORE_RESPONSE_TIMEOUT_MS: String(limitMs),
}

it('200, 408: a body may take longer than the time while it keeps its least rate', async () => {
  const recorded = createRecord()
  const { open, key } = await startListening(settings, {
    prepare: ({ serve }) => inventedOperations(recorded).forEach(serve),
  })
  const head = `PUT /v1/weather.csv HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: text/csv\r\nTransfer-Encoding: chunked\r\n\r\n`
  await using steady = await open()
  await using stalled = await open()

  for (const _ of ['first', 'again']) {
    steady.send(head)
    for (let left = pieces; left > 0; left--) {
      steady.send(chunks('a'.repeat(1_024)))
      await sleep(500)
    }
    steady.send(lastChunk)
    assert.equal((await steady.receive())?.status, 200)
  }
  stalled.send(head + chunks('a'))
  assert.equal((await stalled.receive())?.status, 408)
  await stalled.ended()
})

const mebibyte = Buffer.alloc(1_048_576, 'a')

it('a client that reads a stream slowly gets all of it; one that stops is disconnected', async () => {
  const closed = Promise.withResolvers<void>()
  const download = implement(
    defineOperation({
      operationId: 'getLarge',
      method: 'GET',
      path: '/large',
      tag: serviceTag,
      summary: 'Large',
      description: 'Large.',
      scope: 'public',
      lifecycle: {},
      returns: 'stream',
      item: Type.Object({}),
      mediaTypes: ['text/plain'],
      errors: [],
      examples: { name: 'large', summary: 'Large' },
    }),
    async () =>
      async function* () {
        try {
          for (let left = 40; left > 0; left--) yield mebibyte
        } finally {
          closed.resolve()
        }
      },
  )
  const { port, logLines } = await startListening(settings, {
    prepare: ({ serve }) => serve(download),
  })
  const request = 'GET /v1/large HTTP/1.1\r\nHost: a\r\n\r\n'

  const slow = connect({ port, host: '127.0.0.1' })
  let size = 0
  slow.on('data', ({ length }) => {
    size += length
  })
  slow.write(request)
  for (let left = 10; left > 0; left--) {
    slow.pause()
    await sleep(500)
    slow.resume()
    await sleep(5)
  }
  await until(() => size > 40 * mebibyte.length)
  slow.destroy()
  await closed.promise

  const deaf = connect({ port, host: '127.0.0.1' })
  deaf.on('error', () => undefined).pause()
  const closing = new Promise((resolve) => deaf.once('close', resolve))
  deaf.write(request)
  await sleep(limitMs * 3)
  deaf.resume()
  await closing
  assert.match(logLines.join(''), /1 connection was reset: nobody read the responses within/)
})
