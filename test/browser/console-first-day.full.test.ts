import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { expectSound, holdMessages, rowOf } from '../harness/console-page.ts'
import { buttonOn, fieldOn } from '../harness/console-state.ts'
import { useConsoleStore } from '../harness/console-store.ts'

type Order = { id: number; petId: number; reference?: string }
type Pet = { id: number; name: string; status: string }

const windows = {
  'at a desk': { viewport: { width: 1280, height: 800 } },
  'on a phone': { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
}
/** 800 animals with the names of their categories, of which 12 have no name. */
const animals = Array.from({ length: 800 }, (_, index) => {
  const kind = index % 9 === 0 ? 'long-haired Norwegian forest cat' : 'young and lively'
  const name = `"${['Tara', 'Ben', 'Mia', 'Otto'][index % 4]} ${index}, ${kind}"`
  return `${index % 66 === 65 ? '' : name},${['Cats', 'Dogs', 'Birds'][index % 3]},available`
})
const file = ['Name,Kind,Status', ...animals, ''].join('\n')

describe('the first day of a shop', () => {
  const { open, send, petstore } = useConsoleStore({})

  for (const [where, options] of Object.entries(windows)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`${where}, ${colorScheme}: animals from a file, an order by a name, three sold at once, an export, an undo`, async () => {
        await petstore().reset('empty')
        const page = await open('pets', petstore().key, {
          ...options,
          colorScheme,
          reducedMotion: 'reduce',
        })
        const look = (at: string) => expectSound(page, `${at} ${where}, ${colorScheme}`)
        await holdMessages(page)
        await choose(page, 'animals.csv', file)
        await page.getByText('788 pets to add. 12 rows are left out:').waitFor()
        await page.getByText('12 rows have no name').waitFor()
        await look('a file with wrong rows')
        const repairing = page.waitForEvent('download')
        await buttonOn(page, 'Save the rows to repair').click()
        const wrong = readFileSync(await (await repairing).path(), 'utf8')
        await buttonOn(page, 'Add 788 pets').click()
        await buttonOn(page, 'Done').click()
        await choose(page, 'repaired.csv', wrong.replaceAll(/,,(?=\w+,available)/g, ',Repaired,'))
        await buttonOn(page, 'Add 12 pets').click()
        await buttonOn(page, 'Done').click()
        await page.getByText('800 pets', { exact: true }).waitFor()
        await look('the pets')

        await goTo(page, 'Orders')
        await buttonOn(page, 'Place an order').click()
        const form = page.getByRole('form')
        await form.getByRole('combobox', { name: 'Pet' }).fill('mia 2 young')
        await page.getByRole('option', { name: /^Mia 2, young/ }).click()
        await look('an order that is placed')
        await buttonOn(page, 'Place').click()
        const placed = page.getByText(/^Order \d+ was placed\.$/)
        await placed.waitFor()
        const [order] = (await send('GET', '/store/orders')) as Order[]
        assert.deepEqual([order?.petId, order?.reference], [3, undefined])
        await rowOf(page, order?.id ?? 0)
          .getByText('Mia 2, young and lively')
          .waitFor()
        await look('the orders')

        await goTo(page, 'Pets')
        for (const id of [4, 5, 6])
          await page.getByRole('checkbox', { name: `Choose pet ${id}`, exact: true }).click()
        await page.getByText('3 pets chosen').waitFor()
        await look('three pets that are chosen')
        await page.getByRole('combobox', { name: 'Status of the chosen pets' }).click()
        await page.getByRole('option', { name: 'Sold' }).last().click()
        await buttonOn(page, 'Now').click()
        await page.getByText('3 pets sold.').waitFor()
        assert.deepEqual(await statusesOf([4, 5, 6]), ['sold', 'sold', 'sold'])

        const saved = page.waitForEvent('download')
        await page.getByRole('button', { name: 'Export' }).click()
        const csv = readFileSync(await (await saved).path(), 'utf8')
        assert.equal(csv.trim().split('\n').length, 801)
        assert.match(csv, /Mia 2, young and lively/)

        await rowOf(page, 7).click()
        await fieldOn(page, 'Name').waitFor()
        await look('a pet that is opened')
        await buttonOn(page, 'Withdraw').click()
        await buttonOn(page, 'Undo').click()
        await rowOf(page, 7).getByText('Available').waitFor()
        assert.deepEqual(await statusesOf([7]), ['available'])

        await goTo(page, 'Overview')
        await page
          .getByRole('row', { name: /^Today/ })
          .getByRole('link', { name: '1' })
          .waitFor()
        await page.getByText('Order placed').first().waitFor()
        await look('the overview')
        await page
          .getByRole('row', { name: /^Today/ })
          .getByRole('link')
          .first()
          .click()
        await rowOf(page, order?.id ?? 0).waitFor()
      })
    }
  }

  async function statusesOf(ids: readonly number[]): Promise<string[]> {
    const pets = (await send('GET', `/pets?${ids.map((id) => `id=${id}`).join('&')}`)) as Pet[]
    return pets.map(({ status }) => status)
  }
})

/** Chooses a file to import. */
async function choose(page: Page, name: string, text: string): Promise<void> {
  await buttonOn(page, 'Import').click()
  const choosing = page.waitForEvent('filechooser')
  await buttonOn(page, 'Choose a file').click()
  await (await choosing).setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
}

/** Goes to a page by the menu. */
async function goTo(page: Page, label: string): Promise<void> {
  const menu = page.getByRole('navigation', { name: 'Pages' })
  await menu.getByRole('link', { name: label, exact: true }).click()
  await page.getByRole('heading', { level: 1, name: label }).waitFor()
}
