import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { it } from 'node:test'
import { describeOperations } from '../../src/openapi/document.ts'
import { until } from '../harness/until.ts'
import { createRecord, floodChunk, inventedOperations } from './invented-operations.ts'
import { startInvented } from './start-invented.ts'

/** Longer than any stop takes. */
const cutOffMs = 60_000
const json = 'application/json; charset=utf-8'
const events = { accept: 'text/event-stream' }

it('200: the same path is a page, or a stream for a client that prefers it', async () => {
  const { ask, recorded } = await startInvented()
  async function typeOf(accept: string) {
    const leaving = new AbortController()
    const response = await ask('/weather', { headers: { accept }, signal: leaving.signal })
    leaving.abort()
    assert.deepEqual([response.status, response.headers.get('vary')], [200, 'Accept'])
    return response.headers.get('content-type')
  }

  for (const accept of ['text/event-stream', '*/*, Text/Event-Stream;q=0.5'])
    assert.equal(await typeOf(accept), 'text/event-stream', accept)
  for (const accept of [
    '*/*',
    'application/json',
    'text/*',
    'text/event-stream, application/json',
    'text/event-stream;q=0',
  ])
    assert.equal(await typeOf(accept), json, accept)
  await until(() => recorded.closed === recorded.opened)
  const head = await ask('/weather', { method: 'HEAD', headers: events })
  assert.deepEqual(
    [head.headers.get('content-type'), recorded.opened, (await ask('/weather')).status],
    ['text/event-stream', 2, 200],
  )
})

it('200, 400: a stream has parameters of its own, declared headers among them', async () => {
  const { ask } = await startInvented()
  async function first(query: string, headers = {}) {
    const leaving = new AbortController()
    const response = await ask(`/weather${query}`, {
      headers: { ...events, ...headers },
      signal: leaving.signal,
    })
    const chunk = await response.body?.getReader().read()
    leaving.abort()
    const ignored = response.headers.get('petstore-ignored')
    return [
      response.status,
      ignored,
      Buffer.from(chunk?.value ?? [])
        .toString()
        .split('\n\n')[0],
    ]
  }

  assert.deepEqual(await first(''), [200, null, 'id: 1\ndata: rain'])
  assert.deepEqual(await first('?after=6&sky=sun'), [200, null, 'id: 7\ndata: sun'])
  assert.deepEqual(await first('?after=6&limit=3', { 'last-event-id': '9007199254740993' }), [
    200,
    'limit',
    'id: 9007199254740994\ndata: rain',
  ])
  const [status, , error] = await first('', { 'last-event-id': '7x' })
  assert.equal(status, 400)
  assert.match(String(error), /Last-Event-ID must be an integer from 0/)
  const page = await ask('/weather?after=6', { headers: { 'last-event-id': '7x' } })
  assert.equal(page.status, 200)
})

it('the document describes a page and its stream as one operation', () => {
  const operations = inventedOperations(createRecord()).map(({ operation }) => operation)
  const { paths } = describeOperations(operations, { baseUrl: '', keyDescription: '' }) as {
    paths: Record<string, { get: Described }>
  }
  type Described = {
    parameters: { name?: string; in?: string; example?: unknown; $ref?: string }[]
    responses: Record<string, { content: object; headers: object }>
  }

  const { parameters = [], responses = {} } = paths['/weather']?.get ?? {}
  assert.deepEqual(Object.keys(responses[200]?.content ?? {}), [
    'application/json',
    'text/event-stream',
  ])
  assert.ok('Vary' in (responses[200]?.headers ?? {}))
  const names = parameters.map(({ name, $ref = '' }) => name ?? $ref.split('/').at(-1))
  assert.deepEqual(names, [
    'Limit',
    'cursor',
    'After',
    'Sort',
    'sky',
    'Last-Event-ID',
    'PreferOfList',
    'RequestId',
  ])
  const { in: place, example } = parameters.find(({ name }) => name === 'Last-Event-ID') ?? {}
  assert.deepEqual([place, example], ['header', 7])
})

it('PETSTORE_SLOW_MS: a stream is not slow', async () => {
  const { ask, recorded, logLines } = await startInvented({ PETSTORE_SLOW_MS: '1' })
  const leaving = new AbortController()
  await ask('/weather', { headers: events, signal: leaving.signal })
  await ask('/map')
  leaving.abort()
  await until(() => recorded.closed === 1)

  const { status } = await ask('/weather.slow')

  await until(() => logLines.some((line) => line.includes('Slow request: ')))
  const slow = logLines.filter((line) => line.includes('Slow request: '))
  assert.deepEqual(
    [status, slow.map((line) => JSON.parse(line).operation)],
    [200, ['getSlowWeather']],
  )
})

it('a stop ends a stream without an end, and finishes others', async () => {
  const { open, get, recorded, connections } = await startInvented()
  await using watcher = await open()
  await using reader = await open()
  watcher.send(get('', '/v1/weather.events'))
  reader.send(get('', '/v1/weather.csv').repeat(2))
  await until(() => recorded.opened === 3)

  const hurry = AbortSignal.abort()
  const stopped = connections.drain({ drainMs: 0, hurry, cutOffMs })

  assert.equal((await watcher.receive())?.text, 'drip\n')
  assert.equal((await reader.receive())?.text, 'id,sky\n1,rain\n')
  await stopped
})

it('a stop ends streams without an end before the drain, with their last words', async () => {
  const { open, get, recorded, connections } = await startInvented()
  await using watcher = await open()
  await using late = await open()
  const watch = get('Accept: text/event-stream\r\n', '/v1/weather')
  watcher.send(watch)
  await until(() => recorded.opened === 1)

  const hurry = new AbortController()
  const drained = connections.drain({ drainMs: cutOffMs, hurry: hurry.signal, cutOffMs })

  const lastWords = 'id: 1\ndata: rain\n\nretry: 100\n\n'
  assert.equal((await watcher.receive())?.text, lastWords)
  late.send(watch)
  const answer = await late.receive()
  assert.deepEqual([answer?.text, answer?.headers.connection], [lastWords, 'close'])
  hurry.abort()
  await drained
})

it('a stop does not wait for a stream that does not end, nor for a client that does not read', async () => {
  const { open, get, port, recorded, connections } = await startInvented()
  await using deaf = await open()
  deaf.send(get('', '/v1/weather.deaf'))
  const unread = connect({ port, host: '127.0.0.1' }).pause()
  unread.write(get('', '/v1/weather.flood'))
  await untilSettled(() => recorded.pulled)

  const startedMs = performance.now()
  await connections.drain({ drainMs: 0, hurry: AbortSignal.abort(), cutOffMs })

  assert.ok(performance.now() - startedMs < cutOffMs / 2)
  await assert.rejects(deaf.receive(), /ended within an answer/)
  unread.destroy()
})

it('a source yields no faster than its client reads', async () => {
  const { port, get, recorded } = await startInvented()
  const client = connect({ port, host: '127.0.0.1' }).pause()
  client.write(get('', '/v1/weather.flood'))

  await untilSettled(() => recorded.pulled)

  const pulled = recorded.pulled
  assert.ok(pulled * floodChunk.length < socketBuffersMaxBytes, `${pulled} chunks`)
  client.resume()
  await until(() => recorded.pulled > pulled * 2)
  client.destroy()
})

/** More than a kernel holds of a connection whose client does not read. */
const socketBuffersMaxBytes = 64 * 1_048_576

/** Resolves once a number above 0 has not changed for some tenths of a second. */
async function untilSettled(read: () => number): Promise<void> {
  let last = 0
  let polls = 0
  await until(() => {
    polls = read() === last ? polls + 1 : 0
    last = read()
    assert.ok(last * floodChunk.length < 4 * socketBuffersMaxBytes, 'it never settles')
    return last > 0 && polls > 20
  })
}

it('a stop waits for a download in progress until the time is over', async () => {
  const { open, get, recorded, connections } = await startInvented()
  await using connection = await open()
  connection.send(get('', '/v1/weather.tail'))
  await until(() => recorded.opened === 1)

  await connections.drain({ drainMs: 0, hurry: AbortSignal.abort(), cutOffMs: 100 })

  await until(() => recorded.closed === 1)
  await assert.rejects(connection.receive(), /ended within an answer/)
})
