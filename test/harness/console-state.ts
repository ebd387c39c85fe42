import type { Page } from 'playwright-core'
import { PetstoreClient } from '../../client/src/index.ts'
import type { Petstore } from '../../src/start-petstore.ts'

/** What another client does meanwhile. */
export function clientOf({ baseUrl, key }: Petstore): PetstoreClient {
  return new PetstoreClient({ baseUrl, key })
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
