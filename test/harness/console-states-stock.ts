import type { Page } from 'playwright-core'
import type { Petstore } from '../../src/start-petstore.ts'
import { rowOf } from './console-page.ts'
import {
  buttonOn,
  type ConsoleState,
  clientOf,
  fieldOn,
  goDown,
  listStates,
  reloadWith,
  untilCounted,
} from './console-state.ts'

/** The pages of the inventory, the categories and the overview. */
export const stockStates: readonly ConsoleState[] = [
  ...inventoryStates(),
  ...categoryStates(),
  ...overviewStates(),
]

function inventoryStates(): ConsoleState[] {
  const path = 'inventory'
  return [
    { name: 'inventory', path, lead: ({ page }) => page.getByRole('row').nth(5).waitFor() },
    { name: 'inventory-edit', path, lead: ({ page }) => openActive(page, 'In stock') },
    {
      name: 'inventory-edit-refused',
      path,
      async lead({ page }) {
        await openActive(page, 'In stock')
        await fieldOn(page, 'In stock').fill('-1')
        await buttonOn(page, 'Save').click()
        await page.locator('[aria-invalid="true"]').waitFor()
      },
    },
    {
      name: 'inventory-conflict',
      path: 'inventory?status=available',
      async lead({ page, petstore }) {
        await openActive(page, 'In stock')
        const client = clientOf(petstore)
        const [item] = (await client.inventory.list({ status: 'available', limit: 1 })).data
        await fieldOn(page, 'In stock').fill('40')
        await client.inventory.update(item?.petId ?? 0, { quantity: 30 })
        await buttonOn(page, 'Save').click()
        await page.getByText('Somebody else changed this stock').waitFor()
      },
    },
    {
      name: 'inventory-read-only',
      path,
      scopes: ['inventory:read'],
      lead: ({ page }) => page.getByRole('row').nth(5).waitFor(),
    },
    ...listStates(path, 'listInventory', 'The inventory is empty'),
  ]
}

function categoryStates(): ConsoleState[] {
  const path = 'categories'
  return [
    { name: 'categories', path, lead: ({ page }) => rowOf(page, 1).waitFor() },
    {
      name: 'categories-add',
      path,
      async lead({ page }) {
        await page.getByRole('button', { name: 'Add a category' }).click()
        await fieldOn(page, 'Name').waitFor()
      },
    },
    {
      name: 'categories-add-refused',
      path,
      async lead({ page }) {
        await page.getByRole('button', { name: 'Add a category' }).click()
        await fieldOn(page, 'Name').fill('Dogs')
        await buttonOn(page, 'Add').click()
        await page.getByRole('alert').waitFor()
      },
    },
    { name: 'categories-edit', path, lead: ({ page }) => openActive(page, 'Name') },
    {
      name: 'categories-conflict',
      path,
      async lead({ page, petstore }) {
        await openActive(page, 'Name')
        await fieldOn(page, 'Description').fill('Bred here, with papers.')
        await clientOf(petstore).categories.update(1, { description: 'Pedigree dogs.' })
        await buttonOn(page, 'Save').click()
        await page.getByText('Somebody else changed this category').waitFor()
      },
    },
    {
      name: 'categories-undo',
      path,
      async lead({ page }) {
        await goDown(page, 2)
        await page.keyboard.press('Delete')
        await buttonOn(page, 'Undo').waitFor()
      },
    },
    {
      name: 'categories-none',
      path: 'categories?name=nothing',
      lead: ({ page }) => page.getByText('No category matches').waitFor(),
    },
    ...listStates(path, 'listCategories', 'There are no categories yet'),
  ]
}

function overviewStates(): ConsoleState[] {
  const path = 'overview'
  return [
    {
      name: 'overview',
      path,
      async lead({ page, petstore }) {
        await placeOrders(petstore)
        await untilCounted(page)
      },
    },
    {
      name: 'overview-loading',
      path,
      async lead(shown) {
        for (const operation of ['listPets', 'listOrders', 'listInventory'])
          await shown.petstore.faults.add({ operation, delayMs: 600_000 })
        await shown.page.reload()
        await shown.page.locator('section[aria-busy="true"]').first().waitFor()
      },
    },
    {
      name: 'overview-failed',
      path,
      async lead(shown) {
        await reloadWith(shown, { operation: 'listOrders', error: 'internal_error' })
        await shown.page.getByRole('button', { name: 'Try again' }).first().waitFor()
      },
    },
    {
      name: 'overview-not-counted',
      path,
      async lead({ page }) {
        await refuseCounts(page)
        await page.reload()
        await page.getByText('not counted').first().waitFor()
      },
    },
    { name: 'overview-empty', path, contents: 'empty', lead: ({ page }) => untilCounted(page) },
    {
      name: 'overview-of-orders',
      path,
      scopes: ['orders:read', 'inventory:read'],
      lead: ({ page }) => page.getByRole('heading', { name: 'Open orders' }).waitFor(),
    },
  ]
}

/** As the service does where counting takes too long. */
async function refuseCounts(page: Page): Promise<void> {
  const body = { code: 'unavailable', message: 'Counting takes too long.', status: 503 }
  await page.route('**/v1/**', (route, request) =>
    request.headers().prefer?.includes('count=exact')
      ? route.fulfill({ status: 503, json: body })
      : route.fallback(),
  )
}

async function openActive(page: Page, field: string): Promise<void> {
  await page.getByRole('row').nth(2).waitFor()
  await goDown(page, 1)
  await page.keyboard.press('Enter')
  await fieldOn(page, field).waitFor()
}

async function placeOrders(petstore: Petstore): Promise<void> {
  const client = clientOf(petstore)
  for (const name of ['Mira, red setter', 'Otto, wire-haired dachshund']) {
    const { id } = await client.pets.create({ name, categoryId: 1, status: 'available' })
    await client.orders.create({ petId: id })
  }
}
