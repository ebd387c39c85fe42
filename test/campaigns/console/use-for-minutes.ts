import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { startPetstore } from '../../../src/start-petstore.ts'
import { openConsole, rowOf, signIn } from '../../harness/console-page.ts'
import { buttonOn, fieldOn, goDown, untilCounted } from '../../harness/console-state.ts'
import { watchMemory } from './memory.ts'

/** Goes through all that people do at the console, again and again; the memory must stay flat. */
export async function useForMinutes(browser: Browser, minutes: number): Promise<void> {
  await using petstore = await startPetstore({ seed: 3_000, orderHoldMs: 900_000 })
  const { origin } = new URL(petstore.baseUrl)
  const { page, problems } = await openConsole(browser, { origin, path: 'console/pets' })
  await signIn(page, petstore.key)
  await rowOf(page, 1).waitFor()

  const memory = watchMemory(page)
  const endMs = performance.now() + minutes * 60_000
  let rounds = 0
  while (performance.now() < endMs) {
    rounds += 1
    for (const act of [editPet, findAndFilter, addAndSell, setStock, editCategory, lookAround]) {
      await act(page, rounds)
    }
    // At the same place each time, since each page holds another number of records.
    await memory.measure()
  }

  await page.context().close()
  assert.deepEqual(problems, [])
  memory.report(`${rounds} rounds of use in ${minutes} minutes`)
}

async function goTo(page: Page, key: string, title: string): Promise<void> {
  await page.keyboard.press('g')
  await page.keyboard.press(key)
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
}

async function editPet(page: Page, round: number): Promise<void> {
  await goTo(page, 'p', 'Pets')
  const id = 1 + (round % 20)
  await rowOf(page, id).dblclick()
  await fieldOn(page, 'Name').fill(`Renamed ${round}`)
  await page.keyboard.press('Enter')
  await rowOf(page, id).getByText(`Renamed ${round}`, { exact: true }).waitFor()
}

async function findAndFilter(page: Page): Promise<void> {
  await page.getByRole('searchbox').fill('b')
  await page.waitForURL(/words=b/)
  await page.getByRole('searchbox').fill('')
  await page.waitForURL((url) => !url.search.includes('words'))
  for (const filter of ['Available', 'Sold', 'All']) {
    await page.getByRole('search').getByText(filter, { exact: true }).click()
    await page.locator('[role="grid"][aria-busy="false"]').waitFor()
  }
  await page.getByRole('grid').hover()
  for (let step = 0; step < 20; step++) await page.mouse.wheel(0, 2_000)
  await fieldOn(page, 'Go to id').fill('1500')
  await page.keyboard.press('Enter')
  await rowOf(page, 1_500).waitFor()
}

async function addAndSell(page: Page, round: number): Promise<void> {
  await page.getByRole('button', { name: 'Add a pet' }).click()
  await fieldOn(page, 'Name').fill(`Sold in round ${round}`)
  await page.getByRole('combobox', { name: 'Category' }).last().fill('77')
  await page.getByRole('option', { name: 'Category 77' }).click()
  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { name: 'Add a pet' }).waitFor({ state: 'detached' })
  const added = page.getByText(/^Pet \d+ was added/).last()
  const id = /\d+/.exec((await added.textContent()) ?? '')?.[0] ?? ''
  await goTo(page, 'o', 'Orders')
  await page.getByRole('button', { name: 'Place an order' }).click()
  await fieldOn(page, 'Pet').fill(id)
  await buttonOn(page, 'Place').click()
  await page
    .getByRole('button', { name: /^Ship order/ })
    .first()
    .click()
  await buttonOn(page, 'Now').click()
  await page
    .getByRole('button', { name: /^Deliver order/ })
    .first()
    .click()
  await buttonOn(page, 'Now').click()
  await page
    .getByText(/was delivered\.$/)
    .last()
    .waitFor()
}

async function setStock(page: Page, round: number): Promise<void> {
  await goTo(page, 'i', 'Inventory')
  const row = page.getByRole('row', { selected: true })
  await goDown(page, 1)
  await row.waitFor()
  await page.keyboard.press('Enter')
  await fieldOn(page, 'In stock').fill(String(100 + round))
  await page.keyboard.press('Enter')
  await page.getByText(`: ${100 + round} in stock.`).waitFor()
}

async function editCategory(page: Page, round: number): Promise<void> {
  await goTo(page, 'c', 'Categories')
  await rowOf(page, 1).dblclick()
  await fieldOn(page, 'Description').fill(`Described in round ${round}`)
  await buttonOn(page, 'Save').click()
  await rowOf(page, 1).getByText(`Described in round ${round}`, { exact: true }).waitFor()
}

async function lookAround(page: Page): Promise<void> {
  await goTo(page, 'v', 'Overview')
  await untilCounted(page)
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Find a pet by name').waitFor()
  await page.keyboard.press('Escape')
  await page.getByPlaceholder('Find a pet by name').waitFor({ state: 'detached' })
}
