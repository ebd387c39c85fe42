import type { Page } from 'playwright-core'
import type { Scope } from '../../../client/src/generated/scopes.ts'
import type { Petstore } from '../../../src/start-petstore.ts'
import type { NewFault } from '../../../src/test-bench/contract.ts'
import { rowOf, signIn } from '../../harness/console-page.ts'
import { buttonOn, clientOf, fieldOn, goDown, untilCounted } from '../../harness/console-state.ts'
import { hostileTexts } from '../../harness/hostile-texts.ts'

type Shown = { page: Page; petstore: Petstore }

/** How a page of the console can look, and what leads there: its path and the steps on it, with `>` between them. */
export type ConsoleState = {
  steps: string
  isEmpty?: true
  isSignedOut?: true
  /** What the key may do; everything unless it says otherwise. */
  scopes?: Scope[]
  /** What is in the store besides, before the page is opened. */
  fill?(petstore: Petstore): Promise<unknown>
  /** How the service behaves once the page is signed in, and whether it is loaded again then. */
  fault?: NewFault
  isReloaded?: true
  /** What no step can say, before the steps. */
  lead?(shown: Shown): Promise<unknown>
}

const slowList: NewFault = { operation: 'listPets', delayMs: 600_000 }
const busyGrid = '[role="grid"][aria-busy="true"]'

/** Each page, and what differs in kind from the others: forms, dialogs, messages, lists without records. */
export const states: Record<string, string | ConsoleState> = {
  'sign-in': { steps: '', isSignedOut: true },
  'sign-in-refused': {
    steps: ' > "not an API key"',
    isSignedOut: true,
    lead: ({ page }) => signIn(page, 'garbage'),
  },
  'revoked-api-key': {
    steps: 'pets > <heading Sign in again>',
    fault: { error: 'revoked_api_key' },
  },
  'palette-search': {
    steps: 'pets > "Go to pet 42"',
    lead: ({ page }) => findInPalette(page, '42'),
  },
  commands: 'orders > down 0 > [?] > "Place an order"',
  menu: {
    steps: 'pets > <button Sign out>',
    lead: ({ page }) => page.getByRole('button', { name: 'Signed in' }).click(),
  },
  unavailable: {
    steps: 'pets > "The service is temporarily unavailable."',
    fault: { error: 'unavailable' },
  },
  'no-permission': {
    steps: 'pets',
    scopes: ['orders:read'],
    lead: ({ page }) => page.getByRole('main').getByRole('heading').first().waitFor(),
  },
  'no-such-page': 'nothing > "Page not found"',
  'pets-active': 'pets > down 5',
  'pets-read-only': { steps: 'pets > row 1', scopes: ['pets:read'] },
  'pets-edit-refused': {
    steps: 'pets > "Name must be"',
    async lead({ page }) {
      await rowOf(page, 3).click()
      await fieldOn(page, 'Name').fill(' ')
      await page.keyboard.press('Enter')
    },
  },
  'pets-edit-unknown': {
    steps: 'pets > open 3 > Name = Nobody knows > [Enter] > <alert>',
    fault: { operation: 'updatePet', cut: 'before' },
  },
  'pets-conflict': {
    steps: 'pets > [Enter] > <button Keep theirs>',
    async lead({ page, petstore }) {
      await rowOf(page, 3).click()
      await fieldOn(page, 'Name').fill('Tara, the talking parrot')
      await clientOf(petstore).pets.update(3, { name: 'Tara, green parrot' })
    },
  },
  'pets-add-category': {
    steps: 'pets > <option>',
    async lead({ page }) {
      await buttonOn(page, 'Add a pet').click()
      await page.getByRole('combobox', { name: 'Category' }).last().click()
    },
  },
  'pets-undo': 'pets > down 1 > [Delete] > <button Undo>',
  'pets-news': {
    steps: 'pets?status=available > <button …bring up to date>',
    async lead({ page, petstore }) {
      await goDown(page, 2)
      const [first] = (await clientOf(petstore).pets.list({ status: 'available', limit: 1 })).data
      await clientOf(petstore).pets.delete(first?.id ?? 0)
    },
  },
  'pets-none': 'pets?words=nobody > "No pet matches"',
  'pets-hostile': { steps: 'pets?sort=-id > "U+202E"', fill: createHostilePets },
  'pets-loading': {
    steps: 'pets',
    fault: slowList,
    isReloaded: true,
    lead: ({ page }) => page.locator(busyGrid).waitFor({ state: 'attached' }),
  },
  'pets-failed': {
    steps: 'pets > <button Try again>',
    fault: { operation: 'listPets', error: 'internal_error' },
    isReloaded: true,
  },
  'pets-empty': { steps: 'pets > "There are no pets yet"', isEmpty: true },
  'pets-lost': {
    steps: 'pets > "The service cannot be reached."',
    async lead({ page, petstore }) {
      await rowOf(page, 1).waitFor()
      await petstore.faults.add({ cut: 'before' })
    },
  },
  orders: { steps: 'orders > "Mira, red setter"', fill: placeOrders },
  'orders-open': 'orders > down 2 > [Enter] > <heading Order>',
  'orders-place-refused':
    'orders > Place an order > Quantity = many > Place > "Type a whole number"',
  'inventory-edit': 'inventory > down 1 > [Enter] > <textbox In stock>',
  'categories-edit': 'categories > down 1 > [Enter] > <textbox Name>',
  events: {
    steps: 'events > "Pet added"',
    fill: (petstore) => clientOf(petstore).pets.create({ name: 'Mira, red setter', categoryId: 1 }),
  },
  'events-open': {
    steps: 'events > "Pet changed" > down 1 > [Enter] > <button Close>',
    fill: (petstore) => clientOf(petstore).pets.update(3, { name: 'Tara, green parrot' }),
  },
  'events-none': 'events?order=99999 > "No event matches"',
  keys: { steps: 'keys > row 4', fill: issueKeys },
  'keys-create-refused': 'keys > Create a key > Create > "Choose at least one."',
  'keys-created':
    'keys > Create a key > Name = Web shop > Everything > Create > <button Copy the command>',
  'keys-edit': { steps: 'keys > open 2 > <textbox Name>', fill: issueKeys },
  'keys-rotate': 'keys > down 1 > [r] > <button Rotate>',
  'keys-of-a-weaker-one': {
    steps: 'keys > open 1 > <button Close>',
    scopes: ['keys:manage', 'pets:read'],
  },
  webhooks: { steps: 'webhooks > row 2', fill: createWebhooks },
  'webhooks-create-refused':
    'webhooks > Create a webhook > Address = http://10.0.0.1/ > Create > "Address is refused"',
  'webhooks-created':
    'webhooks > Create a webhook > Address = http://127.0.0.1:9/ > Create > <button Copy>',
  'webhooks-edit': {
    steps: 'webhooks > down 1 > [Enter] > <textbox Address>',
    fill: createWebhooks,
  },
  'webhooks-delivery': {
    steps: 'webhooks?of=1 > open Webhook tested > "webhook.tested"',
    fill: createWebhooks,
  },
  overview: { steps: 'overview', fill: placeOrders, lead: ({ page }) => untilCounted(page) },
  'overview-failed': {
    steps: 'overview > <button Try again>',
    fault: { operation: 'listOrders', error: 'internal_error' },
    isReloaded: true,
  },
}

async function findInPalette(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Find a pet by name').waitFor()
  await page.keyboard.type(text)
}

async function createHostilePets(petstore: Petstore): Promise<void> {
  for (const name of hostileTexts)
    await clientOf(petstore).pets.create({ name, categoryId: 9007199254740993n })
}

/** Orders whose holds count down. */
async function placeOrders(petstore: Petstore): Promise<void> {
  const { pets, orders } = clientOf(petstore)
  for (const more of [{ reference: 'Web shop 2026-1187' }, {}]) {
    const pet = { name: 'Mira, red setter', categoryId: 1, status: 'available' } as const
    await orders.create({ petId: (await pets.create(pet)).id, ...more })
  }
}

/** Keys of different kinds: for a while, rotated, revoked. */
async function issueKeys(petstore: Petstore): Promise<void> {
  const { keys } = clientOf(petstore)
  const expiresAt = '2099-12-31T12:00:00Z'
  const scopes = ['pets:read', 'orders:read', 'orders:write']
  const shop = await keys.create({ name: 'Web shop in Oslo', scopes, expiresAt })
  await keys.rotate(shop.id, {})
  await keys.create({ name: 'Nightly report', scopes: ['inventory:read'] })
  await keys.revoke((await keys.create({ name: 'Former agency' })).id)
}

/** A webhook whose deliveries fail, and a paused one. */
async function createWebhooks(petstore: Petstore): Promise<void> {
  const { webhooks } = clientOf(petstore)
  const { id } = await webhooks.create({ url: 'http://127.0.0.1:9/', types: ['order.placed'] })
  await webhooks.test(id)
  const other = await webhooks.create({ url: 'http://127.0.0.1:9/mail' })
  await webhooks.update(other.id, { status: 'paused' })
}
