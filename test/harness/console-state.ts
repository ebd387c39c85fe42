import type { Page } from 'playwright-core'
import type { Scope } from '../../client/src/generated/scopes.ts'
import { PetstoreClient } from '../../client/src/index.ts'
import type { Petstore } from '../../src/start-petstore.ts'
import type { NewFault } from '../../src/test-bench/contract.ts'

export type Shown = { page: Page; petstore: Petstore }

/** How a page of the console can look, and what leads there. */
export type ConsoleState = {
  name: string
  /** Below `console/`. */
  path: string
  /** What the store has: the demo data, unless it says otherwise. */
  contents?: 'demo' | 'empty'
  /** There is room for it at a desk only. */
  isWide?: boolean
  /** Nobody signs in. */
  isSignedOut?: boolean
  /** What the key may do; everything unless it says otherwise. */
  scopes?: Scope[]
  /** From the page as it is once it is signed in. It resolves when the state is reached. */
  lead?(shown: Shown): Promise<unknown>
}

/** What another client does meanwhile. */
export function clientOf({ baseUrl, key }: Petstore): PetstoreClient {
  return new PetstoreClient({ baseUrl, key })
}

/** Makes the service behave, and loads the page again. */
export async function reloadWith({ page, petstore }: Shown, fault: NewFault): Promise<void> {
  await petstore.faults.add(fault)
  await page.reload()
}

/** The states that every page with a list has. `operation` lists its records. */
export function listStates(path: string, operation: string, none: string): ConsoleState[] {
  return [
    {
      name: `${path}-loading`,
      path,
      async lead(shown) {
        await reloadWith(shown, { operation, delayMs: 600_000 })
        await shown.page.locator('[role="grid"][aria-busy="true"]').waitFor({ state: 'attached' })
      },
    },
    {
      name: `${path}-failed`,
      path,
      async lead(shown) {
        await reloadWith(shown, { operation, error: 'internal_error' })
        await shown.page.getByRole('button', { name: 'Try again' }).waitFor()
      },
    },
    {
      name: `${path}-empty`,
      path,
      contents: 'empty',
      lead: ({ page }) => page.getByText(none).waitFor(),
    },
    {
      name: `${path}-lost`,
      path,
      async lead({ page, petstore }) {
        await page.getByRole('row').nth(2).waitFor()
        await petstore.faults.add({ cut: 'before' })
        await page.getByText('The service cannot be reached.').waitFor()
      },
    },
  ]
}

/** Goes down in the list that is shown, to the row of this number. */
export async function goDown(page: Page, rows: number): Promise<void> {
  // A list that is empty as yet has no row to go to.
  await page.locator('[role=row][id^=row-]').first().waitFor()
  await page.getByRole('grid').focus()
  for (let row = 0; row < rows; row++) await page.keyboard.press('ArrowDown')
}

export function fieldOn(page: Page, name: string) {
  return page.getByRole('textbox', { name, exact: true })
}

export function buttonOn(page: Page, name: string) {
  return page.getByRole('button', { name, exact: true })
}

/** Resolves once the overview has counted everything, what is below the window too. */
export async function untilCounted(page: Page): Promise<void> {
  await page.getByRole('table', { name: 'Pets by status' }).getByText('Available').waitFor()
  const last = page.getByRole('heading', { level: 2 }).last()
  await last.scrollIntoViewIfNeeded()
  await page.locator('section[aria-busy="true"]').first().waitFor({ state: 'detached' })
  await page.getByRole('heading', { level: 2 }).first().scrollIntoViewIfNeeded()
}
