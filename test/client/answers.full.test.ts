import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { PetstoreAnswerTooLargeError, PetstoreClient } from '../../client/src/index.ts'

it('reads no more than 16 MiB of an answer, compressed or not, and asks for no other', async (t) => {
  const zeros = gzipSync(Buffer.alloc(2 ** 25))
  const compressed = createServer((_request, response) => {
    response.setHeader('content-encoding', 'gzip').end(zeros)
  })
  t.after(() => compressed.close())
  await once(compressed.listen(0, '127.0.0.1'), 'listening')
  const { port } = compressed.address() as AddressInfo
  let sentMiB = 0
  const endless = () => {
    const pull = (controller: ReadableStreamDefaultController) => {
      sentMiB += 1
      controller.enqueue(new Uint8Array(2 ** 20))
    }
    return Promise.resolve(new Response(new ReadableStream({ pull })))
  }

  for (const options of [{ fetch: endless }, { baseUrl: `http://127.0.0.1:${port}/v1` }]) {
    const client = new PetstoreClient({ key: 'pet_test_x', ...options })
    const pet = { name: 'Rex', categoryId: 7 }
    const error = await client.pets.create(pet).catch((thrown) => thrown)
    assert.ok(error instanceof PetstoreAnswerTooLargeError)
    assert.deepEqual([error.attempts, error.isOutcomeUnknown], [1, true])
    assert.match(error.message, /more than 16777216 bytes.* \(createPet, 1 attempt\)$/)
  }
  assert.ok(sentMiB >= 16 && sentMiB <= 18, `${sentMiB} MiB`)
})
