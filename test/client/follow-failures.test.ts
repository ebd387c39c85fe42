import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PetstoreApiError, PetstoreClient, stringifyJson } from '../../client/src/index.ts'
import { SeededRandom } from '../harness/seeded-random.ts'
import { take } from './take.ts'

const aPet = { name: 'Rex', categoryId: 7 }

describe('following over connections that fail', () => {
  it('yields each event once, wherever connections break', async () => {
    const count = 40
    const random = new SeededRandom(11)
    const { client, asked } = serviceOf(count, (text) => {
      const bytes = new TextEncoder().encode(text)
      const end = Math.ceil(random.next() * Math.min(bytes.length, 600))
      return bodyOf(bytes.slice(0, end), random.next() < 0.5 ? 'close' : 'error')
    })

    const events = await take(client.events.follow({ after: 0 }), count)

    assert.deepEqual(
      events.map(({ id }) => id),
      Array.from({ length: count }, (_, index) => index + 1),
    )
    assert.ok(asked.length > 5, `${asked}`)
  })

  it('does not yield again what a service repeats', async () => {
    const { client } = serviceOf(0, (_text, requests) => {
      const blocks = Array.from({ length: requests + 1 }, (_, index) => blockOf(index + 1))
      return blocks.join('')
    })

    const events = await take(client.events.follow({ after: 0 }), 4)

    assert.deepEqual(
      events.map(({ id }) => id),
      [1, 2, 3, 4],
    )
  })

  it('knows its position before the first event', async () => {
    const { client, asked } = serviceOf(1, (text, requests) =>
      requests === 1 ? 'id: 0\n\n' : text,
    )

    await take(client.events.follow(), 1)

    assert.deepEqual(asked, [null, '0'])
  })

  it('tells when it is connected, and when it is not any more', async () => {
    const { client } = serviceOf(1, (text, requests) => (requests === 1 ? 'id: 0\n\n' : text))
    const told: boolean[] = []

    await take(client.events.follow({ onConnection: (isOpen) => told.push(isOpen) }), 1)

    assert.deepEqual(told, [true, false, true, false])
  })

  it('takes a stream on which nothing arrives for broken', async () => {
    const { client, asked } = serviceOf(1, (text, requests) =>
      requests === 1 ? bodyOf(new TextEncoder().encode(':\n\n'), 'stay') : text,
    )

    const [event] = await take(client.events.follow({ timeoutMs: 20 }), 1)

    assert.equal(event?.id, 1)
    // A busy machine may be late with the second stream too.
    assert.ok(asked.length >= 2, `${asked}`)
  })

  it('waits as long as Retry-After, and the stream, say', async () => {
    const { client } = serviceOf(1, (text, requests) => {
      if (requests === 1) return 'retry: 300\n\n'
      if (requests > 2) return text
      return new Response('{}', { status: 503, headers: { 'retry-after': '1' } })
    })

    const startMs = performance.now()
    await take(client.events.follow({ after: 0 }), 1)

    assert.ok(performance.now() - startMs >= 1_299)
  })

  it('throws after as many failures in succession as it is told; what arrives begins a new count', async () => {
    const { client, asked } = serviceOf(0, (_text, requests) =>
      requests === 3 ? ':\n\n' : new Response('', { status: 502 }),
    )

    await assert.rejects(take(client.events.follow({ maxRetries: 2 }), 1), {
      name: 'PetstoreApiError',
      status: 502,
      attempts: 5,
    })
    assert.equal(asked.length, 5)
  })

  it('throws where something else than the service answers', async () => {
    const { client } = serviceOf(0, () => new Response('[]'))

    await assert.rejects(take(client.events.follow(), 1), PetstoreApiError)
  })

  it('an abort rejects with its reason: in a stream, in a pause, and before the first request', async () => {
    const { client } = serviceOf(0, () => bodyOf(new Uint8Array(1), 'stay'))
    const { client: pausing } = serviceOf(0, () => 'retry: 600000\n\n')
    const reason = new Error('enough')
    for (const one of [client, pausing]) {
      const aborting = new AbortController()
      const failing = take(one.events.follow({ signal: aborting.signal }), 1)
      setTimeout(() => aborting.abort(reason), 20)

      await assert.rejects(failing, reason)
    }
    const aborted = client.events.follow({ signal: AbortSignal.abort(reason) })
    await assert.rejects(take(aborted, 1), reason)
  })

  it('leaving the loop closes the connection', async () => {
    let isClosed = false
    const { client } = serviceOf(0, () => {
      const stream = new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode(blockOf(1))),
        cancel() {
          isClosed = true
        },
      })
      return stream
    })

    await take(client.events.follow({ after: 0 }), 1)

    assert.ok(isClosed)
  })
})

/** A client of a service without a network, whose log has the events 1 to `count`. `respond` gets the text of the stream. */
function serviceOf(
  count: number,
  respond: (text: string, requests: number) => string | ReadableStream | Response,
) {
  const asked: (string | null)[] = []
  const client = new PetstoreClient({
    key: 'pet_test_x',
    baseUrl: 'http://petstore.test/v1',
    retryDelayMs: 1,
    async fetch(url, init) {
      const after = new URL(String(url)).searchParams.get('after')
      asked.push(after)
      const ids = Array.from({ length: count }, (_, index) => index + 1)
      const blocks = ids.filter((id) => id > Number(after)).map(blockOf)
      const text = ['retry: 0\nid: 0\n\n', ':\n\n', ...blocks].join('')
      const answer = respond(text, asked.length)
      if (answer instanceof Response) return answer
      const source = new Response(answer).body as ReadableStream
      const body = source.pipeThrough(new TransformStream(), {
        signal: init?.signal as AbortSignal,
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
  })
  return { client, asked }
}

function blockOf(id: number): string {
  const event = { id, type: 'pet.created', data: { ...aPet, name: 'Ünü 🐕' } }
  return `id: ${id}\nevent: pet.created\ndata: ${stringifyJson(event)}\n\n`
}

/** A stream that sends these bytes, then does as `end` says. */
function bodyOf(bytes: Uint8Array, end: 'close' | 'error' | 'stay'): ReadableStream {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes)
      if (end === 'close') controller.close()
    },
    pull(controller) {
      if (end === 'error') controller.error(new Error('cut'))
      return end === 'stay' ? new Promise(() => undefined) : undefined
    },
  })
}
