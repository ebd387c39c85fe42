import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp, type TestApi } from '../../../test/harness/app.ts'
import { isFull } from '../../../test/harness/extent.ts'
import { encodeCursor } from '../../http/request/cursor.ts'
import { insertPets } from './queries.ts'

type Named = { id: number; name: string }

/** Names in the order of their keys, which is that of UTF-8: in UTF-16 the emoji is before U+FFFD. */
const names = ['"x"', '%', 'Ben', 'BEN 2', 'ben 3', 'zoo', 'Zoë', 'Äffchen', '\ufffdx', '😀']

/** All pages of a list, by their next links. */
async function walk(api: TestApi, first: string): Promise<Named[]> {
  const found: Named[] = []
  for (let url: string | undefined = first; url !== undefined; ) {
    const page = await api.get(url)
    assert.equal(page.status, 200, page.text)
    found.push(...(page.json() as Named[]))
    assert.ok(found.length <= 5_000, 'The walk does not end.')
    url = /^<http:\/\/petstore\.test(\S+)>; rel="next"$/.exec(page.headers.link ?? '')?.[1]
  }
  return found
}

it('200: pets in the order of names, whatever their case, then of ids, by pages of any size and with each filter', async () => {
  const { api } = await startApp()
  const twice = [...names, ...names].reverse()
  for (const [index, name] of twice.entries())
    await api.createPet({
      name,
      categoryId: index % 3,
      ...(index % 2 === 0 && { status: 'sold' }),
    })
  const all = twice
    .map((name, index) => ({ name, id: index + 1, category: index % 3, isSold: index % 2 === 0 }))
    .sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name) || a.id - b.id)

  for (const [filter, isMatch] of [
    ['', () => true],
    ['&status=sold', ({ isSold }) => isSold],
    ['&categoryId=1', ({ category }) => category === 1],
    ['&categoryId=1&status=sold', ({ category, isSold }) => category === 1 && isSold],
    ['&id=20&id=3&id=4&id=99', ({ id }) => [3, 4, 20].includes(id)],
    ['&name=bEn', ({ name }) => /^ben/i.test(name)],
    ['&name=ben&categoryId=1', ({ name, category }) => /^ben/i.test(name) && category === 1],
    ['&search=ben', ({ name }) => /^ben/i.test(name)],
    ['&search=3+ben&status=sold&name=be', ({ name, isSold }) => name === 'ben 3' && isSold],
    ['&search=zoe', ({ name }) => name === 'Zoë'],
    ['&status=pending', () => false],
  ] satisfies [string, (pet: (typeof all)[number]) => boolean][]) {
    const matching = all.filter(isMatch).map(({ id }) => id)
    for (const limit of [1, 3, 100]) {
      const query = `limit=${limit}${filter}`
      const ascending = await walk(api, `/v1/pets?sort=name&${query}`)
      const descending = await walk(api, `/v1/pets?sort=-name&${query}`)
      assert.deepEqual(
        ascending.map(({ id }) => id),
        matching,
        query,
      )
      assert.deepEqual(
        descending.map(({ id }) => id),
        matching.toReversed(),
        query,
      )
    }
  }
  const counted = await api.get('/v1/pets?sort=name&status=sold', {
    headers: { prefer: 'count=exact' },
  })
  assert.equal(counted.headers['x-total-count'], '10')
})

it('200: the matches of a filter among many pets, few or many, first or last by name', async () => {
  const { api, context } = await startApp()
  const count = isFull ? 4_000 : 700
  const padded = (index: number) => `Pet ${String(index).padStart(5, '0')}`
  const pets = Array.from({ length: count }, (_, index) => ({
    name: padded((index * 11) % count),
    categoryId: (index * 11) % count < count / 2 ? 1n : 2n,
    ...((index * 11) % count === count - 1 ? { status: 'sold' as const } : {}),
  }))
  await Promise.all(pets.map((pet) => context.db.write(insertPets, pet)))

  const walked = async (query: string) =>
    (await walk(api, `/v1/pets?limit=100&${query}`)).map(({ name }) => name)
  const first = Array.from({ length: count / 2 }, (_, index) => padded(index))
  const last = Array.from({ length: count / 2 }, (_, index) => padded(count / 2 + index))

  assert.deepEqual(await walked('sort=name&categoryId=2'), last)
  assert.deepEqual(await walked('sort=-name&categoryId=1'), first.toReversed())
  assert.deepEqual(await walked('sort=name&categoryId=2&search=pet'), last)
  assert.deepEqual(await walked('sort=name&categoryId=1&name=pet'), first)
  assert.deepEqual(await walked('sort=name&status=sold'), [padded(count - 1)])
})

it('200: a page goes on behind the name that the last one ended with, though its pet has another name now, or is gone', async () => {
  const { api } = await startApp()
  for (const name of ['Ada', 'Ben', 'Cid', 'Dan']) await api.createPet({ name })
  const link = async () => {
    const { headers } = await api.get('/v1/pets?sort=name&limit=2')
    return /petstore\.test([^>]+)/.exec(headers.link ?? '')?.[1] ?? ''
  }
  const next = await link()

  await api.send('PATCH', '/v1/pets/2', { body: { name: 'Zoe' } })
  assert.match((await api.get(next)).text, /^\[\{"id":3,.*\{"id":4,[^{]*\]$/)
  await api.send('DELETE', '/v1/pets/2')
  assert.match((await api.get(next)).text, /^\[\{"id":3,.*\{"id":4,[^{]*\]$/)
})

it('400: after with an order of names, a cursor of another order, an order that there is not', async () => {
  const { api } = await startApp()
  for (const name of ['Ada', 'Ben', 'Cid']) await api.createPet({ name })
  const cursorOf = async (sort: string) => {
    const { headers } = await api.get(`/v1/pets?limit=1&sort=${sort}`)
    return /cursor=([\w-]+)/.exec(headers.link ?? '')?.[1] ?? ''
  }

  const both = await api.get('/v1/pets?sort=-name&after=1&limit=0')
  expectError(both, 400, 'invalid_parameter')
  assert.match(both.text, /limit must be.*; after must be absent where sort is name or -name/)
  for (const [sort, other] of [
    ['name', '-name'],
    ['name', 'id'],
    ['id', 'name'],
  ] as const) {
    const cursor = await cursorOf(other)
    const refused = await api.get(`/v1/pets?limit=1&sort=${sort}&cursor=${cursor}`)
    expectError(refused, 400, 'invalid_cursor')
  }
  const cut = (await cursorOf('name')).slice(0, -2)
  expectError(await api.get(`/v1/pets?limit=1&sort=name&cursor=${cut}`), 400, 'invalid_cursor')
  const inOrder = (sort: string) => JSON.stringify(['listPets', sort, []])
  for (const [sort, forged] of [
    ['name', encodeCursor(1n, inOrder('name'))],
    ['name', encodeCursor({ name: 'a\0', id: 1n }, inOrder('name'))],
    ['id', encodeCursor({ name: 'ada', id: 1n }, inOrder('id'))],
  ] as const)
    expectError(await api.get(`/v1/pets?sort=${sort}&cursor=${forged}`), 400, 'invalid_cursor')
  for (const address of ['pets?sort=Name', 'store/orders?sort=name', 'pets/export?sort=name'])
    expectError(await api.get(`/v1/${address}`), 400, 'invalid_parameter')
})

it('200: the longest keys of names fit into a cursor', async () => {
  const { api } = await startApp()
  for (const character of ['😀', '\u0390', 'x'])
    for (let count = 0; count < 2; count++) await api.createPet({ name: character.repeat(1_000) })

  const ids = (await walk(api, '/v1/pets?sort=name&limit=1')).map(({ id }) => id)

  assert.deepEqual(ids, [5, 6, 3, 4, 1, 2])
})

it('200: categories in the order of names', async () => {
  const { api } = await startApp()
  for (const name of ['dogs', 'Cats', 'Äffchen', 'birds'])
    await api.post('/v1/categories', { name })

  const of = async (query: string) =>
    (await walk(api, `/v1/categories?limit=1&${query}`)).map(({ name }) => name)

  assert.deepEqual(await of('sort=name'), ['birds', 'Cats', 'dogs', 'Äffchen'])
  assert.deepEqual(await of('sort=-name&id=1&id=2'), ['dogs', 'Cats'])
  assert.deepEqual(await of('sort=name&name=c'), ['Cats'])
})
