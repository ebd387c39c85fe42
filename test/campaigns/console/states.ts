import type { Page } from 'playwright-core'
import type { Petstore } from '../../../src/start-petstore.ts'
import type { NewFault } from '../../../src/test-bench/contract.ts'
import { rowOf, signIn } from '../../harness/console-page.ts'
import { buttonOn, clientOf, fieldOn, goDown, untilCounted } from '../../harness/console-state.ts'
import { hostileTexts } from '../../harness/hostile-texts.ts'
import type { ConsoleState, Shown } from './console-state.ts'
import { keyStates } from './key-states.ts'

/** Each page, and what differs in kind from the others: forms, dialogs, messages, lists without records. */
export const states: Record<string, ConsoleState> = {
  'sign-in': { path: '', isSignedOut: true },
  'sign-in-refused': {
    path: '',
    isSignedOut: true,
    async lead({ page }) {
      await signIn(page, 'garbage')
      await page.getByText('not an API key').waitFor()
    },
  },
  'revoked-api-key': {
    path: 'pets',
    async lead({ page, petstore }) {
      await petstore.faults.add({ error: 'revoked_api_key' })
      await page.getByRole('heading', { name: 'Sign in again' }).waitFor()
    },
  },
  'palette-search': {
    path: 'pets',
    async lead({ page }) {
      await page.keyboard.press('Control+k')
      await page.getByPlaceholder('Find a pet by name').waitFor()
      await page.keyboard.type('42')
      await page.getByText('Go to pet 42').waitFor()
    },
  },
  shortcuts: {
    path: 'orders',
    async lead({ page }) {
      await page.getByRole('grid').focus()
      await page.keyboard.press('?')
      await page.getByRole('dialog').waitFor()
    },
  },
  menu: {
    path: 'pets',
    async lead({ page }) {
      await page.getByRole('button', { name: 'Signed in' }).click()
      await buttonOn(page, 'Sign out').waitFor()
    },
  },
  unavailable: {
    path: 'pets',
    async lead({ page, petstore }) {
      await petstore.faults.add({ error: 'unavailable' })
      await page.getByText('The service is temporarily unavailable.').waitFor()
    },
  },
  'no-permission': {
    path: 'pets',
    scopes: ['orders:read'],
    lead: ({ page }) => page.getByRole('main').getByRole('heading').first().waitFor(),
  },
  'no-such-page': {
    path: 'nothing',
    lead: ({ page }) => page.getByText('Page not found').waitFor(),
  },
  'pets-active': { path: 'pets', lead: ({ page }) => goDown(page, 5) },
  'pets-read-only': {
    path: 'pets',
    scopes: ['pets:read'],
    lead: ({ page }) => rowOf(page, 1).waitFor(),
  },
  'pets-edit-refused': {
    path: 'pets',
    async lead({ page }) {
      await edit(page, 3)
      await fieldOn(page, 'Name').fill(' ')
      await fieldOn(page, 'Name').press('Enter')
      await page.getByText('Name must be').waitFor()
    },
  },
  'pets-edit-leaving': {
    path: 'pets',
    async lead({ page }) {
      await edit(page, 3)
      await fieldOn(page, 'Name').fill('Not saved yet')
      await fieldOn(page, 'Name').press('Escape')
      await buttonOn(page, 'Keep editing').waitFor()
    },
  },
  'pets-edit-unknown': {
    path: 'pets',
    async lead({ page, petstore }) {
      await edit(page, 3)
      await petstore.faults.add({ operation: 'updatePet', cut: 'before' })
      await fieldOn(page, 'Name').fill('Nobody knows')
      await fieldOn(page, 'Name').press('Enter')
      await page.getByRole('alert').waitFor()
    },
  },
  'pets-conflict': {
    path: 'pets',
    async lead({ page, petstore }) {
      await edit(page, 3)
      await fieldOn(page, 'Name').fill('Tara, the talking parrot')
      await clientOf(petstore).pets.update(3, { name: 'Tara, green parrot' })
      await fieldOn(page, 'Name').press('Enter')
      await page.getByRole('columnheader', { name: 'Theirs' }).waitFor()
    },
  },
  'pets-add-category': {
    path: 'pets',
    async lead({ page }) {
      await page.getByRole('button', { name: 'Add a pet' }).click()
      await page.getByRole('combobox', { name: 'Category' }).last().click()
      await page.getByRole('option').first().waitFor()
    },
  },
  'pets-undo': {
    path: 'pets',
    async lead({ page }) {
      await goDown(page, 1)
      await page.keyboard.press('Delete')
      await buttonOn(page, 'Undo').waitFor()
    },
  },
  'pets-news': {
    path: 'pets?status=available',
    async lead({ page, petstore }) {
      await goDown(page, 2)
      const [first] = (await clientOf(petstore).pets.list({ status: 'available', limit: 1 })).data
      await clientOf(petstore).pets.delete(first?.id ?? 0)
      await page.getByRole('button', { name: 'bring up to date' }).waitFor()
    },
  },
  'pets-none': {
    path: 'pets',
    async lead({ page }) {
      await page.getByRole('searchbox').fill('nobody is called this')
      await page.getByText('No pet matches').waitFor()
    },
  },
  'pets-hostile': {
    path: 'pets',
    async lead({ page, petstore }) {
      for (const name of hostileTexts)
        await clientOf(petstore).pets.create({ name, categoryId: 9007199254740993n })
      await page.goto(`${new URL(page.url()).origin}/console/pets?sort=-id`)
      await page.getByText('U+202E').waitFor()
    },
  },
  'pets-loading': {
    path: 'pets',
    async lead(shown) {
      await reloadWith(shown, { operation: 'listPets', delayMs: 600_000 })
      await shown.page.locator('[role="grid"][aria-busy="true"]').waitFor({ state: 'attached' })
    },
  },
  'pets-failed': {
    path: 'pets',
    async lead(shown) {
      await reloadWith(shown, { operation: 'listPets', error: 'internal_error' })
      await shown.page.getByRole('button', { name: 'Try again' }).waitFor()
    },
  },
  'pets-empty': {
    path: 'pets',
    isEmpty: true,
    lead: ({ page }) => page.getByText('There are no pets yet').waitFor(),
  },
  'pets-lost': {
    path: 'pets',
    async lead({ page, petstore }) {
      await page.getByRole('row').nth(2).waitFor()
      await petstore.faults.add({ cut: 'before' })
      await page.getByText('The service cannot be reached.').waitFor()
    },
  },
  orders: {
    path: 'orders',
    async lead({ page, petstore }) {
      for (const id of await placeOrders(petstore)) await rowOf(page, id).waitFor()
    },
  },
  'orders-open': {
    path: 'orders',
    async lead({ page }) {
      await goDown(page, 2)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Order', exact: true }).waitFor()
    },
  },
  'orders-place-refused': {
    path: 'orders',
    async lead({ page }) {
      await page.getByRole('button', { name: 'Place an order' }).click()
      await fieldOn(page, 'Quantity').fill('many')
      await buttonOn(page, 'Place').click()
      await page.getByText('Type a whole number').first().waitFor()
    },
  },
  'inventory-edit': { path: 'inventory', lead: ({ page }) => openActive(page, 'In stock') },
  'categories-edit': { path: 'categories', lead: ({ page }) => openActive(page, 'Name') },
  ...keyStates,
  overview: {
    path: 'overview',
    async lead({ page, petstore }) {
      await placeOrders(petstore)
      await untilCounted(page)
    },
  },
  'overview-failed': {
    path: 'overview',
    async lead(shown) {
      await reloadWith(shown, { operation: 'listOrders', error: 'internal_error' })
      await shown.page.getByRole('button', { name: 'Try again' }).first().waitFor()
    },
  },
}

async function edit(page: Page, id: number): Promise<void> {
  await rowOf(page, id).dblclick()
  await fieldOn(page, 'Name').waitFor()
}

async function openActive(page: Page, field: string): Promise<void> {
  await page.getByRole('row').nth(2).waitFor()
  await goDown(page, 1)
  await page.keyboard.press('Enter')
  await fieldOn(page, field).waitFor()
}

/** Orders whose holds count down; returns their ids. */
async function placeOrders(petstore: Petstore) {
  const client = clientOf(petstore)
  const place = async (more: { reference?: string }) => {
    const pet = { name: 'Mira, red setter', categoryId: 1, status: 'available' } as const
    const { id } = await client.pets.create(pet)
    return (await client.orders.create({ petId: id, ...more })).id
  }
  return [await place({ reference: 'Web shop 2026-1187' }), await place({})]
}

/** Makes the service behave, and loads the page again. */
async function reloadWith({ page, petstore }: Shown, fault: NewFault): Promise<void> {
  await petstore.faults.add(fault)
  await page.reload()
}
