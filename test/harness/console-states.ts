import type { Browser, Page } from 'playwright-core'
import { PetstoreClient } from '../../client/src/index.ts'
import type { Petstore } from '../../src/start-petstore.ts'
import { openConsole, rowOf, signIn } from './console-page.ts'

type Shown = { page: Page; petstore: Petstore }

/** How a page of the console can look, and what leads there; each begins with the pets, signed in. */
const states: Record<string, (shown: Shown) => Promise<void>> = {
  pets: async () => {},
  'pets-active': async ({ page }) => {
    await page.getByRole('grid').focus()
    for (let row = 0; row < 4; row++) await page.keyboard.press('ArrowDown')
  },
  'pets-edit': async ({ page }) => {
    await edit(page, 3)
  },
  'pets-edit-refused': async ({ page }) => {
    await edit(page, 3)
    await nameOn(page).fill(' ')
    await nameOn(page).press('Enter')
    await page.getByText('Name must be').waitFor()
  },
  'pets-conflict': async ({ page, petstore }) => {
    await edit(page, 3)
    await nameOn(page).fill('Tara, the talking parrot')
    const client = new PetstoreClient({ baseUrl: petstore.baseUrl, key: petstore.key })
    await client.pets.update(3, { name: 'Tara, green parrot', status: 'sold' })
    await nameOn(page).press('Enter')
    await page.getByRole('columnheader', { name: 'Theirs' }).waitFor()
  },
  'pets-add': async ({ page }) => {
    await page.getByRole('button', { name: 'Add a pet' }).click()
    await nameOn(page).waitFor()
  },
  'pets-undo': async ({ page }) => {
    await page.getByRole('grid').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Delete')
    await page.getByRole('button', { name: 'Undo' }).waitFor()
  },
  'pets-none': async ({ page }) => {
    await page.getByRole('searchbox').fill('nobody is called this')
    await page.getByText('No pet matches').waitFor()
  },
  'pets-lost': async ({ page, petstore }) => {
    await petstore.faults.add({ cut: 'before' })
    await page.getByText('The service cannot be reached.').waitFor()
  },
  palette: async ({ page }) => {
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Find a pet by name').waitFor()
  },
  shortcuts: async ({ page }) => {
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
  },
  menu: async ({ page }) => {
    await page.getByRole('button', { name: 'Signed in' }).click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
  },
  'signed-out': async ({ page }) => {
    await page.getByRole('button', { name: 'Signed in' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  },
}

const sizes = {
  desk: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} as const
const schemes = ['light', 'dark'] as const

/** Every state at every size in both colour schemes, one after the other; the store is as it was at the start in each. */
export async function* consoleStates(browser: Browser, petstore: Petstore) {
  const { origin } = new URL(petstore.baseUrl)
  for (const [size, options] of Object.entries(sizes)) {
    for (const colorScheme of schemes) {
      for (const [name, lead] of Object.entries(states)) {
        await petstore.reset()
        const { page, problems } = await openConsole(
          browser,
          { origin, path: 'console/pets' },
          { ...options, colorScheme, reducedMotion: 'reduce' },
        )
        await signIn(page, petstore.key)
        await rowOf(page, 1).waitFor()
        await lead({ page, petstore })
        yield { name: `${name}-${size}-${colorScheme}`, page, problems }
        await page.context().close()
      }
    }
  }
}

async function edit(page: Page, id: number): Promise<void> {
  const row = rowOf(page, id)
  await row.dblclick()
  await nameOn(page).waitFor()
}

function nameOn(page: Page) {
  return page.getByRole('textbox', { name: 'Name', exact: true })
}
