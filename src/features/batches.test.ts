import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp, type TestApp } from '../../test/harness/app.ts'
import type { Context } from '../context/context.ts'
import { createCategory } from './categories/create-category.ts'
import { deleteCategory } from './categories/delete-category.ts'
import { updateCategory } from './categories/update-category.ts'
import { deletePet } from './pets/delete-pet.ts'
import { updatePet } from './pets/update-pet.ts'
import { cancelOrder } from './sales/cancel-order.ts'
import { createOrder } from './sales/create-order.ts'
import { deliverOrder } from './sales/deliver-order.ts'
import { shipOrder } from './sales/ship-order.ts'
import { updateInventory } from './sales/update-inventory.ts'

// Writes that are called in one turn of the event loop are one batch, in this order of arrival.

/** The outcome of each write: its value, or the code and message of its refusal. */
async function outcomesOf(writes: readonly Promise<unknown>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(writes)
  return settled.map((one) =>
    one.status === 'fulfilled' ? one.value : `${one.reason.code}: ${one.reason.message}`,
  )
}

/** Pets for sale with this stock each, with ids from 1. */
async function startWith(...stocks: number[]): Promise<TestApp> {
  const app = await startApp()
  for (const [index, quantity] of stocks.entries()) {
    await app.api.createPet({ status: 'available' })
    await updateInventory(app.context, { id: BigInt(index + 1), body: { quantity } })
  }
  return app
}

async function order(context: Context, petId: bigint, quantity: number) {
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

it('moves in one batch: an order is shipped, then delivered; a refused move changes nothing', async () => {
  const app = await startWith(4)
  const { context, api } = app
  for (const quantity of [1, 2, 1]) await order(context, 1n, quantity)

  const outcomes = await outcomesOf([
    deliverOrder(context, 1n).then(({ status }) => status),
    shipOrder(context, 1n).then(({ status }) => status),
    cancelOrder(context, 2n),
    deliverOrder(context, 1n).then(({ status }) => status),
    cancelOrder(context, 1n),
    shipOrder(context, 9n),
    shipOrder(context, 2n),
    shipOrder(context, 3n).then(({ status }) => status),
    cancelOrder(context, 2n),
  ])

  assert.deepEqual(outcomes, [
    'invalid_transition: Order 1 is pending; only a shipped order can be delivered.',
    'shipped',
    undefined,
    'delivered',
    'order_not_cancellable: Order 1 is delivered; only a pending order can be cancelled.',
    'not_found: There is no order with the id 9.',
    'invalid_transition: Order 2 is cancelled; only a pending order can be shipped.',
    'shipped',
    'order_not_cancellable: Order 2 is cancelled; only a pending order can be cancelled.',
  ])
  const orders = (await api.get('/v1/store/orders')).json() as Record<string, unknown>[]
  assert.deepEqual(
    orders.map(({ status, complete, shipDate }) => [status, complete, shipDate !== undefined]),
    [
      ['delivered', true, true],
      ['cancelled', false, false],
      ['shipped', false, true],
    ],
  )
  assert.deepEqual(await stocksIn(app), ['3 available'])
  assert.equal(await order(context, 1n, 2), 4n)
})

it('stocks in one batch: the last one of a pet counts, and a refused one changes nothing', async () => {
  const app = await startWith(5, 5)
  const { context } = app
  await order(context, 1n, 2)
  const set = (id: bigint, quantity: number) =>
    updateInventory(context, { id, body: { quantity } }).then(({ status }) => status)

  const outcomes = await outcomesOf([set(2n, 0), set(1n, 1), set(9n, 1), set(1n, 2), set(2n, 7)])

  assert.deepEqual(outcomes, [
    'sold',
    'insufficient_stock: Open orders hold 2 of pet 1 (order 1), which is more than 1.',
    'not_found: There is no pet with the id 9 in the inventory.',
    'pending',
    'available',
  ])
  assert.deepEqual(await stocksIn(app), ['2 pending', '7 available'])
})

it('changes of pets in one batch: each follows the one before, and a refused one changes nothing', async () => {
  const app = await startWith(1, 1)
  const { context, api } = app
  await order(context, 2n, 1)
  const change = (id: bigint, body: Parameters<typeof updatePet>[1]['body']) =>
    updatePet(context, { id, body }).then(({ name, status }) => `${name} ${status}`)

  const outcomes = await outcomesOf([
    change(2n, { name: 'Ann', status: 'sold' }),
    change(1n, { name: 'Bob', status: 'sold' }),
    change(9n, { name: 'Eve' }),
    change(1n, { status: 'pending' }),
    change(1n, { categoryId: 8n }),
    change(2n, { name: 'Cy' }),
  ])

  assert.deepEqual(outcomes, [
    'pet_in_open_order: Open orders hold 1 of pet 2 (order 1). Deliver or cancel them first.',
    'Bob sold',
    'not_found: There is no pet with the id 9.',
    'invalid_transition: Pet 1 is sold, from where it can become available, not pending.',
    'Bob sold',
    'Cy pending',
  ])
  assert.deepEqual((await api.get('/v1/pets')).json(), [
    { id: 1, name: 'Bob', categoryId: 8, status: 'sold' },
    { id: 2, name: 'Cy', categoryId: 7, status: 'pending' },
  ])
})

it('deletions in one batch: a pet is deleted once, and one that an order holds stays', async () => {
  const app = await startWith(1, 1, 1)
  const { context, api } = app
  await order(context, 2n, 1)

  const outcomes = await outcomesOf([2n, 3n, 1n, 3n].map((id) => deletePet(context, { id })))

  assert.deepEqual(outcomes, [
    'pet_in_open_order: Open orders hold 1 of pet 2 (order 1). Deliver or cancel them first.',
    undefined,
    undefined,
    'not_found: There is no pet with the id 3.',
  ])
  assert.match((await api.get('/v1/pets')).text, /^\[\{"id":2,[^{]+\]$/)
})

it('categories in one batch: the first gets a name, and a refused one changes nothing', async () => {
  const { context, api } = await startApp()
  const create = (name: string) => createCategory(context, { name }).then((made) => made.name)
  const rename = (id: bigint, name: string) =>
    updateCategory(context, { id, body: { name } }).then((changed) => changed.name)
  const remove = (id: bigint) => deleteCategory(context, { id })
  const taken = (name: string, id: number) =>
    `category_exists: There is a category called ${JSON.stringify(name)}, with the id ${id}; case is ignored.`

  const created = await outcomesOf([create('cats'), create('CATS'), create('dogs')])
  const renamed = await outcomesOf([rename(1n, 'Dogs'), rename(2n, 'fish'), rename(9n, 'birds')])
  const removed = await outcomesOf([remove(2n), remove(2n)])

  assert.deepEqual(created, ['cats', taken('cats', 1), 'dogs'])
  assert.deepEqual(renamed, [
    taken('dogs', 2),
    'fish',
    'not_found: There is no category with the id 9.',
  ])
  assert.deepEqual(removed, [undefined, 'not_found: There is no category with the id 2.'])
  assert.deepEqual((await api.get('/v1/categories')).json(), [{ id: 1, name: 'cats' }])
})
