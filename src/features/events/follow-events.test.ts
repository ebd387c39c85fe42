import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { itInFull } from '../../../test/harness/extent.ts'
import { until } from '../../../test/harness/until.ts'
import { startListening } from '../../../test/http/start-listening.ts'

type Block = { id?: string; event?: string; data?: string; retry?: string }

async function startService(settings: Record<string, string> = {}) {
  const app = await startListening(settings)
  const urlOf = (path: string) => `http://127.0.0.1:${app.port}/v1${path}`

  /** Opens a stream; `blocks` grows as it is read, `ended` is set at its end. */
  async function follow(t: TestContext, query = '', headers: Record<string, string> = {}) {
    const leaving = new AbortController()
    const response = await fetch(urlOf(`/events${query}`), {
      headers: { authorization: `Bearer ${app.key}`, accept: 'text/event-stream', ...headers },
      signal: leaving.signal,
    })
    const stream = {
      response,
      blocks: [] as Block[],
      isEnded: false,
      isCut: false,
      leave: () => leaving.abort(),
    }
    t.after(stream.leave)
    if (response.status === 200) void read(response, stream)
    return stream
  }
  return { ...app, urlOf, follow }
}

async function read(
  response: Response,
  stream: { blocks: Block[]; isEnded: boolean; isCut: boolean },
) {
  let text = ''
  try {
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString()
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      stream.blocks.push(...parts.map(blockOf))
    }
  } catch {
    // The test has left, or the connection was cut.
    stream.isCut = true
  }
  stream.isEnded = true
}

function blockOf(text: string): Block {
  return Object.fromEntries(
    text.split('\n').map((line) => {
      const [name = '', ...rest] = line.split(': ')
      return [name, rest.join(': ')]
    }),
  )
}

const names = (blocks: readonly Block[]) =>
  blocks.flatMap(({ data }) => (data ? [JSON.parse(data).data.name] : []))

it('200: a stream begins with the next event, and tells its position first', async (t) => {
  const { api, follow } = await startService()
  await api.post('/v1/pets', { name: 'before', categoryId: 7 })
  const stream = await follow(t)
  await until(() => stream.blocks.length > 0)

  await api.post('/v1/pets', { name: 'Rex', categoryId: 7 })
  await until(() => stream.blocks.length > 1)

  const [opened, event] = stream.blocks
  assert.equal(stream.response.headers.get('content-type'), 'text/event-stream')
  assert.equal(opened?.retry, '1000')
  assert.ok(Number(opened?.id) < Number(event?.id))
  assert.equal(event?.event, 'pet.created')
  const listed = await api.get(`/v1/events?after=${opened?.id}`)
  assert.equal(listed.text, `[${event?.data}]`)
})

it('200: a stream that is opened after others have ended begins with the next event, too', async (t) => {
  const { api, follow } = await startService()
  const first = await follow(t)
  await until(() => first.blocks.length > 0)
  first.leave()
  await until(() => first.isEnded)
  await api.post('/v1/pets', { name: 'between', categoryId: 7 })

  const second = await follow(t)
  await until(() => second.blocks.length > 0)
  await api.post('/v1/pets', { name: 'Rex', categoryId: 7 })
  await until(() => names(second.blocks).length > 0)

  assert.deepEqual(names(second.blocks), ['Rex'])
})

it('200: a client that connects again misses nothing, whatever it calls its position and repeats beside it', async (t) => {
  const { api, follow } = await startService()
  const cut = await follow(t)
  await api.post('/v1/pets', { name: 'a', categoryId: 7 })
  await until(() => names(cut.blocks).length > 0)
  cut.leave()
  for (const name of ['b', 'c']) await api.post('/v1/pets', { name, categoryId: 7 })
  const first = String(cut.blocks[0]?.id)
  const seen = String(cut.blocks[1]?.id)

  for (const [query, headers] of [
    [`?after=${seen}`, {}],
    ['', { 'last-event-id': seen }],
    [`?lastEventId=${seen}`, {}],
    // A polyfill moves its parameter on, EventSource its header: the rest is of the first connection.
    [`?after=${first}&lastEventId=${seen}`, {}],
    [`?lastEventId=${seen}`, { 'last-event-id': first }],
    [`?after=${first}`, { 'last-event-id': seen }],
    [`?lastEventId=${first}`, { 'last-event-id': seen }],
  ] as const) {
    const again = await follow(t, query, headers)
    await until(() => names(again.blocks).length > 1)
    assert.deepEqual(names(again.blocks), ['b', 'c'], query)
  }
})

it('200: only the types and the pet that are asked for', async (t) => {
  const { api, follow } = await startService()
  const ofPet = await follow(t, '?petId=2&after=0')
  const ofOrders = await follow(t, '?type=order.placed&after=0')
  for (const name of ['a', 'b', 'c']) await api.post('/v1/pets', { name, categoryId: 7 })

  await until(() => names(ofPet.blocks).length > 0)

  assert.deepEqual(names(ofPet.blocks), ['b'])
  assert.deepEqual(names(ofOrders.blocks), [])
})

it('a stream of a key that is narrowed or revoked shows less, or ends', async (t) => {
  const { api, follow, issueKey, revokeKey } = await startService()
  const narrowed = await issueKey({ name: 'narrowed', scopes: ['pets:read', 'orders:read'] })
  const revoked = await issueKey({ name: 'revoked', scopes: ['pets:read'] })
  const streams = [
    await follow(t, '', { authorization: `Bearer ${narrowed}` }),
    await follow(t, '', { authorization: `Bearer ${revoked}` }),
  ]
  await until(() => streams.every(({ blocks }) => blocks.length > 0))

  await revokeKey(revoked)
  await api.send('PATCH', '/v1/keys/2', { body: { scopes: ['orders:read'] } })
  await api.post('/v1/pets', { name: 'Rex', categoryId: 7 })
  await until(() => streams[1]?.isEnded === true)

  assert.deepEqual(names(streams.flatMap(({ blocks }) => blocks)), [])
  assert.equal(streams[0]?.isEnded, false)
  assert.equal(streams[1]?.isCut, false)
})

itInFull(
  'a stream has a comment after 15 s without an event, with the position where that has moved',
  async (t) => {
    const { api, follow } = await startService()
    const [idle, other] = await Promise.all([follow(t), follow(t, '?type=order.placed')])
    await until(() => idle.blocks.length > 0 && other.blocks.length > 0)
    await api.post('/v1/pets', { name: 'Rex', categoryId: 7 })
    await until(() => idle.blocks.length > 1)

    await until(() => idle.blocks.length > 2 && other.blocks.length > 1)

    const { id } = idle.blocks[1] ?? {}
    assert.deepEqual([idle.blocks[2], other.blocks[1]], [{ ':': '' }, { ':': '', id }])
  },
)

it('410: a position ahead of the log; 400: one that is not understood, never the events from now on', async (t) => {
  const { api, follow } = await startService()

  const ahead = await follow(t, '?after=9007199254740993')
  assert.equal(ahead.response.status, 410)
  assert.equal(((await ahead.response.json()) as { code: string }).code, 'events_expired')
  for (const [query, headers, message] of [
    ['', { 'last-event-id': '7x' }, /Last-Event-ID must be an integer from 0/],
    ['', { 'last-event-id': '' }, /Last-Event-ID must be an integer from 0/],
    ['?lastEventId=', {}, /lastEventId must be an integer from 0/],
    ['?after=1&lastEventId=last', {}, /lastEventId must be an integer from 0/],
    [
      '?lastEventID=1',
      {},
      /not a parameter of the stream of listEvents; did you mean lastEventId\?/,
    ],
    ['?cursor=AQAAAAAAAAAKwdp9Lg', {}, /cursor is not a parameter of the stream/],
  ] as const) {
    const { response } = await follow(t, query, headers)
    assert.equal(response.status, 400, query)
    assert.match(((await response.json()) as { message: string }).message, message)
  }
  const page = await api.get('/v1/events?lastEventId=1', { headers: { prefer: 'handling=strict' } })
  assert.equal(page.status, 200)
})

it('503: beyond the streams of a key, and of all; one that ends makes room', async (t) => {
  const { follow, issueKey } = await startService({ PETSTORE_STREAMS_MAX: '2' })
  const [other, third] = [await issueKey(), await issueKey()]
  const by = (key: string) => follow(t, '', { authorization: `Bearer ${key}` })
  const streams = [await follow(t), await by(other)]
  await until(() => streams.every(({ blocks }) => blocks.length > 0))

  const refused = [await follow(t), await by(third)]
  streams[0]?.leave()

  for (const { response } of refused) {
    assert.equal(response.status, 503)
    assert.ok(response.headers.get('retry-after'))
  }
  await until(async () => (await follow(t)).response.status === 200)
})

it('a stop ends streams with the times after which to come back, which are spread', async (t) => {
  const { follow, connections } = await startService()
  const streams = await Promise.all([follow(t), follow(t), follow(t), follow(t), follow(t)])
  await until(() => streams.every(({ blocks }) => blocks.length > 0))

  await connections.drain({ drainMs: 0, hurry: AbortSignal.abort(), cutOffMs: 60_000 })

  await until(() => streams.every(({ isEnded }) => isEnded))
  assert.ok(streams.every(({ blocks, isCut }) => blocks.length > 1 && !isCut))
  const retriesMs = streams.map(({ blocks }) => Number(blocks.at(-1)?.retry))
  assert.ok(
    retriesMs.every((ms) => ms >= 1_000 && ms <= 5_000),
    String(retriesMs),
  )
  assert.ok(new Set(retriesMs).size > 1, String(retriesMs))
})
