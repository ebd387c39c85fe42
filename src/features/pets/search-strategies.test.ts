import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { cases, itInFull } from '../../../test/harness/extent.ts'
import type { PetStatus } from '../../contract/pet-status.ts'
import { insertPets } from './queries.ts'

/**
 * A search looks at 256 records and 256 matches; then, in rounds, it sorts up to 2,000 matches, walks along the ids in
 * steps, or sorts more. Each way must return what a plain filter returns.
 */

type Stored = { id: number; name: string; categoryId: number; status: PetStatus }
type PetAnswer = { headers: Record<string, string>; json(): unknown }

const statuses = ['available', 'pending', 'sold'] as const

/** Limit of concurrent requests, so that none waits too long for the database. */
const insertedAtOnce = 5_000

/** Thousands of pets, each named by `nameOf`; their ids are 1, 2, 3 … in this order. */
async function insertMany({ context }: TestApp, count: number, nameOf: (id: number) => string) {
  const pets = Array.from({ length: count }, (_, index): Stored => {
    const id = index + 1
    return { id, name: nameOf(id), categoryId: id % 7, status: statuses[id % 3] as PetStatus }
  })
  for (let from = 0; from < count; from += insertedAtOnce) {
    const inserted = await Promise.all(
      pets
        .slice(from, from + insertedAtOnce)
        .map(({ name, categoryId, status }) =>
          context.db.write(insertPets, { name, categoryId: BigInt(categoryId), status }),
        ),
    )
    assert.equal(inserted[0], BigInt(from + 1))
  }
  return pets
}

/** Pages through a search, and compares it with a filter in JavaScript. */
async function checkWalk({ api }: TestApp, query: string, expected: readonly Stored[]) {
  const ids: number[] = []
  for (let url: string | undefined = `/v1/pets?${query}`; url !== undefined; ) {
    const page: Awaited<ReturnType<typeof api.get>> = await api.get(url)
    assert.equal(page.status, 200, page.text)
    ids.push(...idsOf(page))
    url = nextOf(page)
    assert.ok(ids.length <= expected.length, `${query}: more than there is`)
  }
  assert.deepEqual(
    ids,
    expected.map(({ id }) => id),
    query,
  )
  const counted = await api.get(`/v1/pets?${query}`, { headers: { prefer: 'count=exact' } })
  assert.equal(counted.headers['x-total-count'], String(expected.length), query)
}

itInFull(
  '200: each match is met once, in both orders, for 256, 257, 2,000, 2,001 and more matches',
  async () => {
    const app = await startApp()
    let others = 0
    const left = { Ann: 256, Bob: 257, Cat: 2_000, Dan: 2_001 }
    const pets = await insertMany(app, 12_000, (id) => {
      if (id > 7_700 || (id > 375 && id <= 391)) return `Rex ${id}`
      others += 1
      const names = ['Cat', 'Dan', left.Ann > 0 ? 'Ann' : 'Bob'] as const
      const name = names[others % 3] as keyof typeof left
      if (left[name] === 0) return `Max ${id}`
      left[name] -= 1
      return `${name} ${id}`
    })
    assert.deepEqual(left, { Ann: 0, Bob: 0, Cat: 0, Dan: 0 })
    assert.ok(pets.filter(({ name }) => name.startsWith('Rex')).length > 4_200)

    for (const start of cases(['Ann', 'Bob', 'Cat', 'Dan', 'Rex', 'Max'], { quickEvery: 2 })) {
      const found = pets.filter(({ name }) => name.startsWith(start))
      await checkWalk(app, `name=${start.toUpperCase()}&limit=100`, found)
      await checkWalk(app, `name=${start}&limit=99&sort=-id`, found.toReversed())
      const sold = found.filter(({ status }) => status === 'sold')
      await checkWalk(app, `name=${start}&status=sold&limit=100`, sold)
    }
  },
)

itInFull(
  '200: finds matches that are far apart, across several steps, also with other filters',
  async () => {
    const app = await startApp()
    // More matches than three rounds sort, then none for more than one step of a walk, then a few.
    const pets = await insertMany(app, 45_000, (id) =>
      id <= 33_000 || id % 5_000 === 0 ? `Rex ${id}` : `Max ${id}`,
    )
    const found = pets.filter(({ name }) => name.startsWith('Rex'))
    const counted = await app.api.get('/v1/pets?name=max', { headers: { prefer: 'count=exact' } })
    assert.equal(counted.headers['x-total-count'], String(pets.length - found.length))
    const some = [1, 15_000, 20_000, 45_000]

    for (const [query, isMet] of [
      ['categoryId=3', ({ categoryId }) => categoryId === 3],
      [
        'status=sold&categoryId=3',
        ({ status, categoryId }) => status === 'sold' && categoryId === 3,
      ],
      [`id=40001&${some.map((id) => `id=${id}`).join('&')}`, ({ id }) => some.includes(id)],
      ['id=40001', () => false],
      ['categoryId=8', () => false],
    ] as [string, (pet: Stored) => boolean][]) {
      const expected = found.filter(isMet)
      await checkWalk(app, `name=rex&${query}&limit=100`, expected)
      await checkWalk(app, `name=rex&${query}&limit=100&sort=-id`, expected.toReversed())
    }
  },
)

it('200: a page that is full at the very end of a step has a next page', async () => {
  const app = await startApp()
  const pets = await insertMany(app, 6_200, (id) => (id < 100 || id >= 1_500 ? 'Rex' : 'Max'))
  const ids = pets.filter(({ name }) => name === 'Rex').map(({ id }) => id)

  for (const limit of [98, 99, 100]) {
    const first = await app.api.get(`/v1/pets?name=rex&limit=${limit}`)
    const second = await app.api.get(nextOf(first) ?? '')

    assert.deepEqual(idsOf(first), ids.slice(0, limit))
    assert.deepEqual(idsOf(second), ids.slice(limit, 2 * limit))
  }
})

const idsOf = (page: PetAnswer) => (page.json() as Stored[]).map(({ id }) => id)

function nextOf({ headers }: PetAnswer): string | undefined {
  return /^<http:\/\/petstore\.test(\S+)>; rel="next"$/.exec(headers.link ?? '')?.[1]
}
