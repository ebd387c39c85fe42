import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { aPet, expectError, startApp, type TestApi } from '../../../test/harness/app.ts'
import { amount } from '../../../test/harness/extent.ts'

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

it('200: accepts 100 ids; a page still has at most limit pets', async () => {
  const { api } = await startApp()
  await createPets(api, 21)
  const ids = Array.from({ length: 100 }, (_, index) => `id=${index + 1}`).join('&')

  const response = await api.get(`/v1/pets?${ids}`)

  assert.equal(idsOf(response).length, 20)
  assert.match(response.headers.link ?? '', /rel="next"/)
})

it('400: refuses 101 ids, and invalid ids', async () => {
  const { api } = await startApp()
  const ids = Array.from({ length: 101 }, (_, index) => `id=${index + 1}`).join('&')

  const tooMany = await api.get(`/v1/pets?${ids}`)
  const noId = await api.get('/v1/pets?id=1&id=x')

  expectError(tooMany, 400, 'invalid_parameter')
  assert.match(tooMany.text, /id was sent 101 times; send it at most 100 times/)
  expectError(noId, 400, 'invalid_parameter')
  assert.match(noId.text, /received \\"x\\"/)
})

it('200: Prefer: count=exact inside a quoted string is ignored', async () => {
  const { api } = await startApp()

  for (const [prefer, total] of [
    ['foo="a, count=exact"', undefined],
    ['foo="a, count=exact', undefined],
    ['foo="\\", count=exact"', undefined],
    ['foo="a, b", count=exact', '0'],
    ['foo="\\"", count=exact', '0'],
  ] as const) {
    const response = await api.get('/v1/pets', { headers: { prefer } })
    assert.equal(response.headers['x-total-count'], total, prefer)
  }
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

it('200: ignores unknown parameters', async () => {
  const { api } = await startApp()
  await createPets(api, 2)

  for (const query of ['offset=1', 'page=2&page=3', 'x=%ff', 'Limit=0', 'petId=x', '=&&', '?']) {
    assert.deepEqual(idsOf(await api.get(`/v1/pets?${query}`)), [1, 2], query)
  }
})

it('400: refuses invalid parameters, and reports all of them at once', async () => {
  const { api } = await startApp()
  const bad = [
    ...['0', '101', '-1', '', '1.5', '1e1', '+1', '01', ' 1', '0x10', '9'.repeat(400)].map(
      (limit) => `limit=${encodeURIComponent(limit)}`,
    ),
    ...['limit', 'limit=%ff', 'limit=5&limit=5', 'sort=name', 'sort=', 'sort=id&sort=id'],
    ...['status=Available', 'status=', 'status=sold&status=sold', 'status=available,sold'],
    ...[
      'categoryId=-0',
      'categoryId=1.0',
      'categoryId=9223372036854775808',
      'categoryId=1&categoryId=1',
    ],
  ]

  for (const query of bad) {
    const response = await api.get(`/v1/pets?${query}`)
    expectError(response, 400, 'invalid_parameter')
    assert.match(
      response.text,
      new RegExp(`"${query.split('=', 1)[0]} (?:must be|was sent twice; send it once)`),
      query,
    )
  }
  const all = await api.get('/v1/pets?limit=0&status=x&sort=y&categoryId=z&id=u')
  expectError(all, 400, 'invalid_parameter')
  for (const name of ['limit', 'status', 'sort', 'categoryId', 'id']) {
    assert.match(all.text, new RegExp(`${name}\\S* must be `))
  }
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

it('200: a pet has the same bytes in a list and alone, whatever its name', async () => {
  const { api } = await startApp()
  const names = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  const newPets = fc.record(
    {
      name: names.filter((name) => /[^\s\p{C}]/u.test(name) && !/[\p{Cc}\p{Cs}]/u.test(name)),
      categoryId: fc.maxSafeInteger(),
      status: fc.constantFrom('available', 'pending', 'sold'),
    },
    { requiredKeys: ['name', 'categoryId'] },
  )
  const tricky = { name: '\\"\u2028</script>\\\\"\u{1f415}', categoryId: -1 }

  await fc.assert(
    fc.asyncProperty(newPets, async (newPet) => {
      const created = await api.post('/v1/pets', newPet)
      const alone = await api.get(created.headers.location?.replace(/^.*\/v1/, '/v1') ?? '')
      const { id } = created.json() as { id: number }
      const listed = await api.get(`/v1/pets?id=${id}`)

      assert.equal(alone.text, created.text)
      assert.equal(listed.text, `[${alone.text}]`)
      assert.equal(listed.headers.etag, alone.headers.etag)
    }),
    { numRuns: amount({ quick: 6, full: 60 }), examples: [[tricky]] },
  )
})
