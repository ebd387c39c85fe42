import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp, type TestApp } from '../../test/harness/app.ts'
import type { ServiceContext } from '../context/context.ts'
import { categoryWrites } from './categories/queries.ts'
import { createOrder } from './sales/create-order.ts'
import { updateInventory } from './sales/update-inventory.ts'
import { writeBy } from './verbs.ts'

// Writes that are called in one turn of the event loop are one batch, in this order of arrival.

/** The outcome of each write: its value, or the code and message of its refusal. */
async function outcomesOf(writes: readonly Promise<unknown>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(writes)
  return settled.map((one) =>
    one.status === 'fulfilled' ? one.value : `${one.reason.code}: ${one.reason.message}`,
  )
}

const setStock = writeBy(updateInventory)

/** Pets for sale with this stock each, with ids from 1. */
async function startWith(...stocks: number[]): Promise<TestApp> {
  const app = await startApp()
  for (const [index, quantity] of stocks.entries()) {
    await app.api.createPet({ status: 'available' })
    await setStock(app.context, { id: BigInt(index + 1), body: { quantity } })
  }
  return app
}

async function order(context: ServiceContext, petId: bigint, quantity: number) {
  return (await createOrder(context, { petId, quantity })).id
}

async function stocksIn({ api }: TestApp) {
  const items = (await api.get('/v1/inventory')).json() as { quantity: number; status: string }[]
  return items.map(({ quantity, status }) => `${quantity} ${status}`)
}

it('orders in one batch: the stock is given in order of arrival, and a refusal leaves the others', async () => {
  const app = await startWith(3, 1)
  await app.api.createPet()
  const wanted: [petId: bigint, quantity: number][] = [
    [1n, 2],
    [1n, 2],
    [9n, 1],
    [2n, 1],
    [3n, 1],
    [1n, 1],
    [1n, 1],
    [2n, 1],
  ]

  const outcomes = await outcomesOf(wanted.map(([id, many]) => order(app.context, id, many)))

  assert.deepEqual(outcomes, [
    1n,
    'insufficient_stock: Pet 1 has 1 in stock that no order holds; this order is for 2.',
    'not_found: There is no pet with the id 9.',
    2n,
    'pet_not_available: Pet 3 is not for sale: it has no status.',
    3n,
    'pet_not_available: Pet 1 is pending: open orders hold all of it (orders 1 and 3).',
    'pet_not_available: Pet 2 is pending: open orders hold all of it (order 2).',
  ])
  const orders = (await app.api.get('/v1/store/orders')).json() as Record<string, unknown>[]
  assert.deepEqual(
    orders.map(({ petId, quantity }) => [petId, quantity]),
    [
      [1, 2],
      [2, 1],
      [1, 1],
    ],
  )
  assert.deepEqual(await stocksIn(app), ['3 pending', '1 pending'])
})

it('categories in one batch: the first gets a name, and a refused one changes nothing', async () => {
  const { context, api } = await startApp()
  const create = (name: string) =>
    context.db.write(categoryWrites.insert, { name }).then((made) => made.name)
  const rename = (id: bigint, name: string) =>
    writeBy(categoryWrites.update)(context, { id, body: { name } }).then((changed) => changed.name)
  const remove = (id: bigint) => writeBy(categoryWrites.delete)(context, { id })
  const taken = (name: string, id: number) =>
    `category_exists: There is a category called ${JSON.stringify(name)}, with the id ${id}; names that look alike are the same.`

  const created = await outcomesOf([create('cats'), create('CATS'), create('dogs')])
  const renamed = await outcomesOf([rename(1n, 'Dogs'), rename(2n, 'fish'), rename(9n, 'birds')])
  const removed = await outcomesOf([remove(2n), remove(2n)])

  assert.deepEqual(created, ['cats', taken('cats', 1), 'dogs'])
  assert.deepEqual(renamed, [
    taken('dogs', 2),
    'fish',
    'not_found: There is no category with the id 9.',
  ])
  assert.deepEqual(removed, [null, 'not_found: There is no category with the id 2.'])
  assert.deepEqual((await api.get('/v1/categories')).json(), [{ id: 1, name: 'cats' }])
})
