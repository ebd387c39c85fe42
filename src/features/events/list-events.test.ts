import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp, type TestApi } from '../../../test/harness/app.ts'

const url = '/v1/events'

type Event = {
  id: number
  type: string
  createdAt: string
  data: Record<string, unknown>
  previous?: Record<string, unknown>
  actor: Record<string, unknown>
  requestId?: string
}

async function eventsOf(api: TestApi, query = ''): Promise<Event[]> {
  const response = await api.get(`${url}${query}`)
  assert.equal(response.status, 200, response.text)
  return response.json() as Event[]
}

async function startWithPets(names: readonly string[]) {
  const app = await startApp()
  for (const name of names) await app.api.post('/v1/pets', { name, categoryId: 7 })
  return app
}

it('200: a change is an event: the record, who changed it, in which request, and when', async () => {
  const { api } = await startApp()

  const created = await api.send('POST', '/v1/pets', {
    rawBody: '{"name":"Rex","categoryId":9223372036854775807,"status":"available"}',
    headers: { 'content-type': 'application/json' },
  })
  const [event] = await eventsOf(api, '?type=pet.created')

  assert.deepEqual(event?.actor, { type: 'key', name: 'test', keyId: 1 })
  assert.equal(event?.requestId, created.headers['x-request-id'])
  assert.equal(event?.createdAt, '2027-01-01T00:00:00.000Z')
  const text = (await api.get(`${url}?type=pet.created`)).text
  assert.ok(text.includes(`"data":${created.text}`), text)
})

it('200: pages in order of ids, in both directions, by Link and by after', async () => {
  const { api } = await startWithPets(['a', 'b', 'c', 'd', 'e'])
  const names = (events: readonly Event[]) => events.map(({ data }) => data.name)
  const query = '?type=pet.created&limit=2'

  const first = await api.get(`${url}${query}`)
  const [, next = ''] = /<http:\/\/petstore\.test([^>]+)>/.exec(first.headers.link ?? '') ?? []
  const second = (await api.get(next)).json() as Event[]

  assert.deepEqual(names([...(first.json() as Event[]), ...second]), ['a', 'b', 'c', 'd'])
  assert.deepEqual(names(await eventsOf(api, `${query}&after=${second[1]?.id}`)), ['e'])
  assert.deepEqual(names(await eventsOf(api, `${query}&sort=-id`)), ['e', 'd'])
  assert.deepEqual(names(await eventsOf(api, `${query}&sort=-id&after=${second[1]?.id}`)), [
    'c',
    'b',
  ])
})

it('200: the events of one pet', async () => {
  const { api } = await startWithPets(['a', 'b'])

  const events = await eventsOf(api, '?petId=2')

  assert.deepEqual(
    events.map(({ type, data }) => [type, data.id]),
    [['pet.created', 2]],
  )
  assert.deepEqual(await eventsOf(api, '?petId=9'), [])
  assert.deepEqual(await eventsOf(api, '?petId=2&orderId=2'), [])
})

it('200: a key sees the events of records that it may read, and no others', async () => {
  const { api, issueKey } = await startWithPets(['a'])
  const typesFor = async (scopes: readonly string[]) => {
    const key = await issueKey({ name: 'reader', scopes: scopes as never })
    const events = (await api.get(url, { key })).json() as Event[]
    return [...new Set(events.map(({ type }) => type))]
  }

  assert.deepEqual(await typesFor(['pets:read']), ['pet.created'])
  assert.deepEqual(await typesFor(['orders:write']), [])
  assert.deepEqual(await typesFor(['keys:manage']), ['key.created'])
})

it('404: an event of a record that the key may not read; and one that does not exist', async () => {
  const { api, issueKey } = await startWithPets(['a'])
  const key = await issueKey({ name: 'reader', scopes: ['orders:read'] })
  const [event] = await eventsOf(api, '?type=pet.created')

  const shown = await api.get(`${url}/${event?.id}`, { headers: { prefer: 'scopes' } })

  assert.deepEqual(shown.json(), event)
  expectError(await api.get(`${url}/${event?.id}`, { key }), 404, 'not_found')
  expectError(await api.get(`${url}/${Number(event?.id) + 1000}`), 404, 'not_found')
})

it('200: events are counted on request, as any list; unknown parameters are named', async () => {
  const { api } = await startWithPets(['a', 'b', 'c'])
  const headers = { prefer: 'count=exact, scopes' }

  const counted = await api.get(`${url}?type=pet.created&limit=1&colour=red`, { headers })
  const ofPet = await api.get(`${url}?petId=2&limit=1`, { headers })
  const none = await api.get(`${url}?petId=2&orderId=2`, { headers })
  const strict = await api.get(`${url}?limit=1`, { headers: { prefer: 'handling=strict' } })

  assert.equal(counted.headers['x-total-count'], '3')
  assert.equal(counted.headers['petstore-ignored'], 'colour')
  assert.match(counted.headers['petstore-scopes'] ?? '', /pets:read/)
  assert.deepEqual(
    [ofPet, none].map((page) => page.headers['x-total-count']),
    ['1', '0'],
  )
  assert.equal(strict.headers['preference-applied'], 'handling=strict')
  expectError(
    await api.get(`${url}?colour=red`, { headers: { prefer: 'handling=strict' } }),
    400,
    'invalid_parameter',
  )
})

it('200: the header Petstore-Position is the end of the log, whatever the page shows of it', async () => {
  const { api, issueKey } = await startWithPets(['a', 'b'])
  const blind = await issueKey({ name: 'blind', scopes: ['orders:write'] })
  const [last] = await eventsOf(api, '?sort=-id&limit=1')
  const end = String(last?.id)

  const first = await api.get(`${url}?limit=1`)
  const none = await api.get(`${url}?petId=2&orderId=2`, { headers: { prefer: 'count=exact' } })
  const unreadable = await api.get(url, { key: blind })

  assert.equal(first.headers['petstore-position'], end)
  const { 'petstore-position': position, 'x-total-count': total } = none.headers
  assert.deepEqual([position, total], [end, '0'])
  assert.deepEqual([unreadable.headers['petstore-position'], unreadable.text], [end, '[]'])
})

it('400: an unknown type; the nearest is named', async () => {
  const { api } = await startApp()

  const response = await api.get(`${url}?type=pet.creatd`)

  expectError(response, 400, 'invalid_parameter')
  assert.match(response.text, /did you mean pet\.created\?/)
})

it('410: a position ahead of the log', async () => {
  const { api } = await startWithPets(['a'])

  const response = await api.get(`${url}?after=9007199254740993`)

  expectError(response, 410, 'events_expired')
  assert.match(response.text, /9007199254740993/)
})
