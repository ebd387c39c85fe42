import type { Petstore } from '../../../src/start-petstore.ts'
import { rowOf } from '../../harness/console-page.ts'
import { buttonOn, clientOf, fieldOn, goDown } from '../../harness/console-state.ts'
import type { ConsoleState } from './console-state.ts'

/** How the pages of the events, keys and webhooks can look. */
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
  webhooks: {
    path: 'webhooks',
    async lead({ page, petstore }) {
      await createWebhooks(petstore)
      await rowOf(page, 2).getByText('Paused').waitFor()
    },
  },
  'webhooks-create-refused': {
    path: 'webhooks',
    async lead({ page }) {
      await buttonOn(page, 'Create a webhook').click()
      await fieldOn(page, 'Address').fill('http://10.0.0.1/')
      await buttonOn(page, 'Create').click()
      await page.getByText('Address is refused').waitFor()
    },
  },
  'webhooks-created': {
    path: 'webhooks',
    async lead({ page }) {
      await buttonOn(page, 'Create a webhook').click()
      await fieldOn(page, 'Address').fill('http://127.0.0.1:9/hook')
      await buttonOn(page, 'Create').click()
      await buttonOn(page, 'Copy').waitFor()
    },
  },
  'webhooks-edit': {
    path: 'webhooks',
    async lead({ page, petstore }) {
      await createWebhooks(petstore)
      await rowOf(page, 1).dblclick({ position: { x: 5, y: 5 } })
      await fieldOn(page, 'Address').waitFor()
    },
  },
  'webhooks-delivery': {
    path: 'webhooks?of=1',
    async lead({ page, petstore }) {
      await createWebhooks(petstore)
      await page.getByText('Webhook tested').dblclick()
      await page.getByText('"webhook.tested"').waitFor()
    },
  },
}

/** A webhook whose deliveries fail, and a paused one. */
async function createWebhooks(petstore: Petstore): Promise<void> {
  const { webhooks } = clientOf(petstore)
  const { id } = await webhooks.create({ url: 'http://127.0.0.1:9/', types: ['order.placed'] })
  await webhooks.test(id)
  const other = await webhooks.create({ url: 'http://127.0.0.1:9/mail' })
  await webhooks.update(other.id, { status: 'paused' })
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
