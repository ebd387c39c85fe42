import type { Petstore } from '../../../src/start-petstore.ts'
import { rowOf } from '../../harness/console-page.ts'
import { buttonOn, clientOf, fieldOn, goDown } from '../../harness/console-state.ts'
import type { ConsoleState } from './console-state.ts'

/** How the pages of the events and of the keys can look. */
export const keyStates: Record<string, ConsoleState> = {
  events: {
    path: 'events',
    lead: ({ page }) => page.getByText('Pet added').first().waitFor(),
  },
  'events-open': {
    path: 'events',
    async lead({ page, petstore }) {
      await clientOf(petstore).pets.update(3, { name: 'Tara, green parrot' })
      await page.getByText('Pet changed').dblclick()
      await buttonOn(page, 'Close').waitFor()
    },
  },
  'events-none': {
    path: 'events?order=99999',
    lead: ({ page }) => page.getByText('No event matches').waitFor(),
  },
  keys: {
    path: 'keys',
    async lead({ page, petstore }) {
      await issueKeys(petstore)
      await rowOf(page, 4).waitFor()
    },
  },
  'keys-create-refused': {
    path: 'keys',
    async lead({ page }) {
      await buttonOn(page, 'Create a key').click()
      await buttonOn(page, 'Create').click()
      await page.getByText('Choose at least one.').waitFor()
    },
  },
  'keys-created': {
    path: 'keys',
    async lead({ page }) {
      await buttonOn(page, 'Create a key').click()
      await fieldOn(page, 'Name').fill('Web shop')
      await buttonOn(page, 'Everything').click()
      await buttonOn(page, 'Create').click()
      await buttonOn(page, 'Copy the command').waitFor()
    },
  },
  'keys-edit': {
    path: 'keys',
    async lead({ page, petstore }) {
      await issueKeys(petstore)
      await rowOf(page, 2).dblclick()
      await fieldOn(page, 'Name').waitFor()
    },
  },
  'keys-rotate': {
    path: 'keys',
    async lead({ page }) {
      await goDown(page, 1)
      await page.keyboard.press('r')
      await buttonOn(page, 'Rotate').waitFor()
    },
  },
  'keys-of-a-weaker-one': {
    path: 'keys',
    scopes: ['keys:manage', 'pets:read'],
    async lead({ page }) {
      await rowOf(page, 1).dblclick()
      await buttonOn(page, 'Close').waitFor()
    },
  },
}

/** Keys of different kinds: for a while, rotated, revoked. */
async function issueKeys(petstore: Petstore): Promise<void> {
  const { keys } = clientOf(petstore)
  const expiresAt = '2099-12-31T12:00:00Z'
  const scopes = ['pets:read', 'orders:read', 'orders:write']
  const shop = await keys.create({ name: 'Web shop in Oslo', scopes, expiresAt })
  await keys.rotate(shop.id, {})
  await keys.create({ name: 'Nightly report', scopes: ['inventory:read'] })
  const { id } = await keys.create({ name: 'Former agency' })
  await keys.revoke(id)
}
