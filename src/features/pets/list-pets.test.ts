import assert from 'node:assert/strict'
import { it } from 'node:test'
import { aPet, startApp, type TestApi } from '../../../test/harness/app.ts'

async function createPets(api: TestApi, count: number, newPet: Record<string, unknown> = {}) {
  for (let made = 0; made < count; made++) await api.createPet(newPet)
}

const idsOf = (answer: { json(): unknown }) =>
  (answer.json() as { id: number }[]).map(({ id }) => id)

it('200: a bare array, empty at first, without Link, X-Total-Count or ETag', async () => {
  const { api } = await startApp()

  const response = await api.get('/v1/pets')

  assert.equal(response.status, 200)
  assert.equal(response.text, '[]')
  assert.equal(response.headers['content-type'], 'application/json; charset=utf-8')
  assert.equal(response.headers['cache-control'], 'no-store')
  for (const name of ['link', 'x-total-count', 'preference-applied', 'etag', 'deprecation']) {
    assert.equal(response.headers[name], undefined, name)
  }
})

it('200: filters by status, by category, and by both', async () => {
  const { api } = await startApp()
  await api.createPet({ categoryId: 1, status: 'available' })
  await api.createPet({ categoryId: 2, status: 'available' })
  await api.createPet({ categoryId: 1, status: 'sold' })
  await api.createPet({ categoryId: 1 })

  assert.deepEqual(idsOf(await api.get('/v1/pets?status=available')), [1, 2])
  assert.deepEqual(idsOf(await api.get('/v1/pets?categoryId=1')), [1, 3, 4])
  assert.deepEqual(idsOf(await api.get('/v1/pets?categoryId=1&status=sold')), [3])
  assert.deepEqual(idsOf(await api.get('/v1/pets?status=pending')), [])
  assert.deepEqual(idsOf(await api.get('/v1/pets?categoryId=-1')), [])
})

it('200: returns the pets with the given ids, each once, in the order of ids', async () => {
  const { api } = await startApp()
  await createPets(api, 5)

  assert.deepEqual(idsOf(await api.get('/v1/pets?id=4&id=2&id=99&id=4&id=-1')), [2, 4])
  assert.deepEqual(idsOf(await api.get('/v1/pets?id=4&id=2&sort=-id')), [4, 2])
  assert.deepEqual(idsOf(await api.get('/v1/pets?id=4&id=2&status=sold')), [])
})

it('200: a filter by ids has limit and next links like any list', async () => {
  const { api } = await startApp()
  await createPets(api, 4)

  const first = await api.get('/v1/pets?id=4&limit=2&id=3&id=1')
  const link = /^<http:\/\/petstore\.test(.+)>; rel="next"$/.exec(first.headers.link ?? '')
  const second = await api.get(link?.[1] ?? '')

  assert.deepEqual(idsOf(first), [1, 3])
  assert.match(link?.[1] ?? '', /^\/v1\/pets\?id=4&limit=2&id=3&id=1&cursor=/)
  assert.deepEqual(idsOf(second), [4])
  assert.equal(second.headers.link, undefined)
})

it('200: Prefer: count=exact returns the total on every page, also with filters', async () => {
  const { api } = await startApp()
  await createPets(api, 3, { status: 'sold' })
  await createPets(api, 2)
  const count = (url: string, prefer = 'count=exact') => api.get(url, { headers: { prefer } })

  const all = await count('/v1/pets?limit=2')
  const sold = await count('/v1/pets?status=sold&limit=1', 'respond-async, Count = "exact"')
  const byId = await count('/v1/pets?id=1&id=5&id=6', 'count=exact;x=1')
  const none = await count('/v1/pets?status=pending')
  const notAsked = await count('/v1/pets', 'count=planned')

  const countOf = ({ headers }: typeof all) => [
    headers['x-total-count'],
    headers['preference-applied'],
  ]
  assert.deepEqual(countOf(all), ['5', 'count=exact'])
  assert.deepEqual(countOf(sold), ['3', 'count=exact'])
  assert.deepEqual(countOf(byId), ['2', 'count=exact'])
  assert.deepEqual(countOf(none), ['0', 'count=exact'])
  assert.deepEqual(countOf(notAsked), [undefined, undefined])
  assert.equal(idsOf(all).length, 2)
})

it('304: a response without a body has no total either', async () => {
  const { api } = await startApp()
  const { headers } = await api.post('/v1/pets', aPet())
  const sent = { prefer: 'count=exact', 'if-none-match': headers.etag ?? '' }

  for (const method of ['GET', 'HEAD']) {
    const response = await api.send(method, '/v1/pets?id=1', { headers: sent })

    assert.equal(response.status, 304)
    assert.equal(response.headers['x-total-count'], undefined)
    assert.equal(response.headers['preference-applied'], undefined)
  }
})

it('304: a list filtered by one existing id has the ETag of that pet', async () => {
  const { api } = await startApp()
  const created = await api.post('/v1/pets', aPet())
  await api.createPet()
  const { etag = '' } = created.headers

  const response = await api.get('/v1/pets?id=1')
  const unchanged = await api.get('/v1/pets?id=1', { headers: { 'if-none-match': etag } })
  const changed = await api.get('/v1/pets?id=2', { headers: { 'if-none-match': etag } })

  assert.equal(response.headers.etag, etag)
  assert.equal(response.headers['cache-control'], 'private, no-cache')
  assert.equal(unchanged.status, 304)
  assert.equal(unchanged.text, '')
  assert.equal(unchanged.headers.etag, etag)
  assert.equal(changed.status, 200)
  for (const query of ['', '?id=3', '?id=1&id=2', '?id=1&id=1', '?id=1&status=sold', '?limit=1']) {
    const untagged = await api.get(`/v1/pets${query}`, { headers: { 'if-none-match': '*' } })
    assert.equal(untagged.status, 200, query)
    assert.equal(untagged.headers.etag, undefined, query)
  }
})
