import type { Page } from 'playwright-core'
import type { Order } from '../../client/src/index.ts'
import type { Petstore } from '../../src/start-petstore.ts'
import { rowOf } from './console-page.ts'
import {
  buttonOn,
  type ConsoleState,
  clientOf,
  fieldOn,
  goDown,
  listStates,
} from './console-state.ts'

const path = 'orders'

/** The page of the orders. */
export const orderStates: readonly ConsoleState[] = [
  { name: 'orders', path, lead: showHolds },
  { name: 'orders-active', path, lead: ({ page }) => goDown(page, 3) },
  {
    name: 'orders-open',
    path,
    async lead({ page }) {
      await goDown(page, 2)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Order', exact: true }).waitFor()
    },
  },
  { name: 'orders-place', path, lead: ({ page }) => openForm(page) },
  {
    name: 'orders-place-of-pet',
    path: 'orders?orderPet=1',
    lead: ({ page }) => buttonOn(page, 'Place').waitFor(),
  },
  {
    name: 'orders-place-refused',
    path,
    async lead({ page }) {
      await openForm(page)
      await fieldOn(page, 'Quantity').fill('many')
      await buttonOn(page, 'Place').click()
      await page.getByText('Type a whole number').first().waitFor()
    },
  },
  {
    name: 'orders-place-taken',
    path,
    async lead({ page, petstore }) {
      const pet = await clientOf(petstore).pets.create({
        name: 'Rex',
        categoryId: 1,
        status: 'available',
      })
      await openForm(page)
      await fieldOn(page, 'Pet').fill(String(pet.id))
      await page.getByText('Rex').first().waitFor()
      await clientOf(petstore).orders.create({ petId: pet.id })
      await buttonOn(page, 'Place').click()
      await page.getByText(/order \d+.* 1 of it/i).waitFor()
    },
  },
  {
    name: 'orders-shipped',
    path: 'orders?status=pending',
    async lead({ page, petstore }) {
      const order = await aPendingOrder(petstore)
      await page.goto(`${page.url()}&at=${order.id}`)
      await page.getByRole('button', { name: `Ship order ${order.id}` }).click()
      await buttonOn(page, 'Now').click()
      await page.getByText(`Order ${order.id} was shipped.`).waitFor()
    },
  },
  {
    name: 'orders-undo',
    path: 'orders?status=pending',
    async lead({ page, petstore }) {
      const order = await aPendingOrder(petstore)
      await page.goto(`${page.url()}&at=${order.id}`)
      await page.getByRole('button', { name: `Cancel order ${order.id}` }).click()
      await buttonOn(page, 'Undo').waitFor()
    },
  },
  {
    name: 'orders-none',
    path: 'orders?reference=nobody',
    lead: ({ page }) => page.getByText('No order matches').waitFor(),
  },
  {
    name: 'orders-read-only',
    path,
    scopes: ['orders:read'],
    lead: ({ page }) => page.getByText('Delivered').first().waitFor(),
  },
  ...listStates(path, 'listOrders', 'There are no orders yet'),
]

async function openForm(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Place an order' }).click()
  await buttonOn(page, 'Place').waitFor()
}

/** Orders whose holds last for minutes, for hours and for days. */
async function showHolds({ page, petstore }: { page: Page; petstore: Petstore }): Promise<void> {
  const client = clientOf(petstore)
  const references = ['Web shop 2026-1187', 'For a birthday', '']
  for (const reference of references) {
    const { id } = await client.pets.create({
      name: 'Mira, red setter',
      categoryId: 1,
      status: 'available',
    })
    const order = await client.orders.create({ petId: id, ...(reference && { reference }) })
    await rowOf(page, order.id).waitFor()
  }
}

async function aPendingOrder(petstore: Petstore): Promise<Order> {
  const [order] = (await clientOf(petstore).orders.list({ status: 'pending', limit: 1 })).data
  if (order === undefined) throw new Error('The demo data has no pending order.')
  return order
}
