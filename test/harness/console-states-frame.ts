import type { Page } from 'playwright-core'
import { signIn } from './console-page.ts'
import { buttonOn, type ConsoleState } from './console-state.ts'

const path = 'pets'

/** What is around the pages: sign-in, palette, menus, and what the service says against the key. */
export const frameStates: readonly ConsoleState[] = [
  { name: 'sign-in', path: '', isSignedOut: true },
  {
    name: 'sign-in-refused',
    path: '',
    isSignedOut: true,
    async lead({ page }) {
      await signIn(page, 'garbage')
      await page.getByText('not an API key').waitFor()
    },
  },
  {
    name: 'sign-in-lost',
    path: '',
    isSignedOut: true,
    async lead({ page, petstore }) {
      await petstore.faults.add({ cut: 'before' })
      await signIn(page, petstore.key)
      await page.getByText('did not answer').waitFor()
    },
  },
  {
    name: 'signed-out',
    path,
    async lead({ page }) {
      await openMenu(page)
      await buttonOn(page, 'Sign out').click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    },
  },
  ...((['revoked_api_key', 'expired_api_key'] as const).map((error) => ({
    name: error.replaceAll('_', '-'),
    path,
    async lead({ page, petstore }) {
      await petstore.faults.add({ error })
      await page.getByRole('heading', { name: 'Sign in again' }).waitFor()
    },
  })) satisfies ConsoleState[]),
  { name: 'palette', path, lead: ({ page }) => openPalette(page) },
  {
    name: 'palette-search',
    path,
    async lead({ page }) {
      await openPalette(page)
      await page.keyboard.type('42')
      await page.getByText('Go to pet 42').waitFor()
    },
  },
  {
    name: 'shortcuts',
    path,
    async lead({ page }) {
      await page.getByRole('grid').focus()
      await page.keyboard.press('?')
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'shortcuts-of-orders',
    path: 'orders',
    async lead({ page }) {
      await page.getByRole('grid').focus()
      await page.keyboard.press('?')
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'menu',
    path,
    async lead({ page }) {
      await openMenu(page)
      await buttonOn(page, 'Sign out').waitFor()
    },
  },
  {
    name: 'unavailable',
    path,
    async lead({ page, petstore }) {
      await petstore.faults.add({ error: 'unavailable' })
      await page.getByText('The service is temporarily unavailable.').waitFor()
    },
  },
  {
    name: 'no-permission',
    path,
    scopes: ['orders:read'],
    lead: ({ page }) => page.getByRole('main').getByRole('heading').first().waitFor(),
  },
  {
    name: 'start-of-orders-key',
    path: '',
    scopes: ['orders:read', 'orders:write'],
    lead: ({ page }) => page.getByRole('main').getByRole('heading').first().waitFor(),
  },
  {
    name: 'no-such-page',
    path: 'nothing',
    lead: ({ page }) => page.getByText('Page not found').waitFor(),
  },
]

async function openMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Signed in' }).click()
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Find a pet by name').waitFor()
}
