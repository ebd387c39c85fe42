import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { it } from 'node:test'
import { startApp, type TestApi } from '../../../test/harness/app.ts'
import { repeatRefused } from '../../../test/harness/repeat.ts'
import { seedStore } from './seed-store.ts'

type Pet = { id: number; name: string; categoryId: number; status?: string }
type Order = {
  petId: number
  quantity: number
  status: string
  createdAt: string
  shipDate?: string
  reference?: string
}

const count = 400
const lists = ['pets', 'categories', 'inventory', 'store/orders', 'details']

/** All records of a list, page by page, as raw text of the responses. */
async function walk(api: TestApi, list: string): Promise<string[]> {
  const pages: string[] = []
  let next: string | undefined = `/v1/${list}?limit=100`
  while (next !== undefined) {
    const path: string = next
    const { status, text, headers } = await repeatRefused(() => api.get(path))
    assert.equal(status, 200, text)
    pages.push(text)
    next = /<http:\/\/petstore\.test(.*)>; rel="next"/.exec(headers.link ?? '')?.[1]
  }
  return pages
}

async function recordsOf<T>(api: TestApi, list: string): Promise<T[]> {
  return (await walk(api, list)).flatMap((page) => JSON.parse(page) as T[])
}

/** Everything that a store seeded with this text at this time returns. */
async function answersFor(seed: string, now: string): Promise<string[]> {
  const { api, context } = await startApp({ now })
  await seedStore(context, { count, seed })
  return (await Promise.all(lists.map((list) => walk(api, list)))).flat()
}

it('200: the same seed and count return the same bytes all day, another seed does not', async () => {
  const [morning, evening] = ['2026-11-02T00:00:00Z', '2026-11-02T23:59:59Z']
  const [once, again, other] = await Promise.all([
    answersFor('shop', morning),
    answersFor('shop', evening),
    answersFor('Shop', morning),
  ])

  assert.deepEqual(again, once)
  assert.notDeepEqual(other, once)
  // The same on every engine and machine: tests of integrators rely on it. A change of the demo data changes this
  // line.
  assert.equal(hash('sha256', once?.join('\n') ?? '').slice(0, 16), '7782eba7c40808cb')
})

it('200: categories, statuses and orders are like those of a store in use', async () => {
  const { api, context } = await startApp()

  const added = await seedStore(context, { count, seed: 'petstore' })

  const pets = await recordsOf<Pet>(api, 'pets')
  const orders = await recordsOf<Order>(api, 'store/orders')
  const categories = await recordsOf<{ id: number; description: string }>(api, 'categories')
  assert.deepEqual(added, {
    pets: pets.length,
    categories: categories.length,
    orders: orders.length,
  })
  assert.equal(pets.length, count)
  const names = new Set(pets.map(({ name }) => name))
  assert.ok(names.size > 0.95 * count, `${names.size} names`)
  assert.ok(categories.every(({ description }) => description !== ''))
  const known = new Set(categories.map(({ id }) => id))
  assert.ok(pets.every(({ categoryId }) => known.has(categoryId)))
  const statuses = new Set(pets.map(({ status }) => status))
  assert.deepEqual([...statuses].sort(), ['available', 'pending', 'sold', undefined])
  const isAvailable = pets.filter(({ status }) => status === 'available').length
  assert.ok(isAvailable > count / 2, `${isAvailable} are available`)
  assert.ok(orders.length > count / 8 && orders.length < count / 2, `${orders.length} orders`)
  const states = new Set(orders.map(({ status }) => status))
  assert.deepEqual([...states].sort(), ['cancelled', 'delivered', 'expired', 'pending', 'shipped'])
  assert.ok(orders.some(({ reference }) => reference !== undefined))
  assert.ok(orders.some(({ reference }) => reference === undefined))
})

it('200: orders are of the four weeks before the day, and nothing is still to come', async () => {
  const { api, context } = await startApp({ now: '2027-03-10T08:00:00Z' })

  await seedStore(context, { count, seed: 'petstore' })

  const orders = await recordsOf<Order>(api, 'store/orders')
  const days = orders.map(({ createdAt }) => createdAt.slice(0, 10)).sort()
  assert.deepEqual([days.at(0), days.at(-1)], ['2027-02-10', '2027-03-09'])
  // The last ones would be shipped days later.
  const shipped = orders.flatMap(({ shipDate }) => shipDate ?? []).sort()
  assert.equal(shipped.at(-1), '2027-03-10T00:00:00.000Z')
})

it('200: an existing category of the same name is used, in any case, and none is added twice', async () => {
  const { api, context } = await startApp()
  await api.post('/v1/categories', { name: 'DOGS' })

  const first = await seedStore(context, { count, seed: 'petstore' })
  const second = await seedStore(context, { count, seed: 'more' })

  const categories = await recordsOf<{ id: number; name: string }>(api, 'categories')
  assert.equal(first.categories, categories.length - 1)
  assert.equal(second.categories, 0)
  const dogs = categories.filter(({ name }) => name.toLowerCase() === 'dogs')
  assert.deepEqual(dogs, [{ id: 1, name: 'DOGS' }])
  const ofDogs = await recordsOf<Pet>(api, 'pets')
  assert.ok(ofDogs.some(({ categoryId, name }) => categoryId === 1 && / poodle$/.test(name)))
  assert.equal(ofDogs.length, 2 * count)
})

it('200: concurrent seeds share their categories', async () => {
  const { api, context } = await startApp()

  const seeds = ['a', 'b', 'c']
  const count = 100
  const added = await Promise.all(seeds.map((seed) => seedStore(context, { count, seed })))

  const categories = await recordsOf<{ id: number; name: string }>(api, 'categories')
  const newOnes = added.reduce((sum, counts) => sum + counts.categories, 0)
  assert.equal(newOnes, categories.length)
  assert.equal(new Set(categories.map(({ name }) => name)).size, categories.length)
  const ids = new Set(categories.map(({ id }) => id))
  const pets = await recordsOf<Pet>(api, 'pets')
  assert.equal(pets.length, seeds.length * count)
  assert.ok(pets.every(({ categoryId }) => ids.has(categoryId)))
})
