import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { rowOf, rowsOn } from '../harness/console-page.ts'
import { buttonOn } from '../harness/console-state.ts'
import { useConsoleStore } from '../harness/console-store.ts'

const field = (page: Page, name: string) =>
  page.locator('form:has(h2)').getByRole('textbox', { name, exact: true })

describe('what a shop tells about a pet', () => {
  const { open, send } = useConsoleStore({ seed: 150 })

  it('is typed into the form of the pet; its price is in the list, and in orders of it', async () => {
    const page = await open('pets')
    await rowOf(page, 5).click()

    await field(page, 'Price').fill('249.5 eur')
    await buttonOn(page, 'Save').click()
    await page.getByText('Price needs its currency, and the digits of that').waitFor()
    await field(page, 'Price').fill('249.50 eur')
    await field(page, 'Tags').fill('tame  old')
    await field(page, 'Description').fill('Line one.\nLine two.')
    await buttonOn(page, 'Save').click()
    await page.getByText('Pet 5 was saved.').waitFor()
    await rowOf(page, 5).getByText('249.50 EUR').waitFor()

    const { petId: _, ...saved } = (await send('GET', '/pets/5/details')) as Record<string, unknown>
    assert.deepEqual(
      [saved.price, saved.tags, saved.description],
      [{ amount: '249.50', currency: 'EUR' }, ['tame', 'old'], 'Line one.\nLine two.'],
    )
    // Rows in view are kept up to date.
    await rowOf(page, 5).scrollIntoViewIfNeeded()
    await send('PUT', '/pets/5/details', { price: { amount: '7', currency: 'JPY' } })
    await rowOf(page, 5).getByText('7 JPY').waitFor()
    await page.goto(page.url().replace(/\/pets.*/, '/orders'))
    await page.getByText('EUR').first().waitFor()
  })

  it('an added pet has its details too', async () => {
    const page = await open('pets')
    await page.getByRole('button', { name: 'Add a pet' }).click()
    await page.locator('form:has(h2)').getByRole('textbox', { name: 'Name' }).fill('Rex')
    await page.getByRole('combobox', { name: 'Category' }).last().fill('1')
    await page.keyboard.press('Tab')
    await field(page, 'Price').fill('12.00 CHF')
    await buttonOn(page, 'Add').click()
    await page.getByText('Pet 151 was added.').waitFor()
    const details = (await send('GET', '/pets/151/details')) as { price: object }
    assert.deepEqual(details.price, { amount: '12.00', currency: 'CHF' })
  })

  it('a click on the head of the names orders by them, and pages go on to the end', async () => {
    const page = await open('pets')
    const head = page.getByTitle('Order by name')
    const firstRow = async () => (await rowsOn(page))[0] ?? ''

    await head.click()
    await page.waitForURL(/sort=name/)
    await page.locator('[aria-busy="false"] [role="row"]').first().waitFor()
    const pets = (await send('GET', '/pets?sort=name&limit=1')) as { name: string }[]
    await page
      .getByText(pets[0]?.name ?? '')
      .first()
      .waitFor()
    await head.click()
    await page.waitForURL(/sort=-name/)
    const last = (await send('GET', '/pets?sort=-name&limit=1')) as { name: string }[]
    await page
      .getByText(last[0]?.name ?? '')
      .first()
      .waitFor()
    await page.keyboard.press('Tab')
    assert.notEqual(await firstRow(), '')
    await page.getByRole('grid').focus()
    await page.keyboard.press('End')
    await page
      .getByText(pets[0]?.name ?? '')
      .first()
      .waitFor()
  })

  it('an import of prices without a currency asks for one', async () => {
    const page = await open('pets')
    await buttonOn(page, 'Import').click()
    const buffer = Buffer.from('Name,Category,Price\nTim,Cats,5.00\n')
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'p.csv', mimeType: 'text/csv', buffer })
    const currency = page.getByRole('combobox', { name: 'What the prices are in' })
    await currency.fill('EUR')
    await page.getByRole('option', { name: 'EUR' }).click()
    await buttonOn(page, 'Check').click()
    await buttonOn(page, 'Add 1 pet').click()
    await buttonOn(page, 'Done').click()
    const found = (await send('GET', '/details?currency=EUR&sort=-id&limit=1')) as object[]
    assert.deepEqual(found, [{ petId: 152, price: { amount: '5.00', currency: 'EUR' } }])
  })
})
