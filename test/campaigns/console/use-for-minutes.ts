import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { startPetstore } from '../../../src/start-petstore.ts'
import { rowOf } from '../../harness/console-page.ts'
import { untilCounted } from '../../harness/console-state.ts'
import { watchMemory } from './memory.ts'
import { openPets, take, takeAll } from './steps.ts'

/** Goes through all that people do at the console, again and again; the memory must stay flat. */
export async function useForMinutes(browser: Browser, minutes: number): Promise<void> {
  await using petstore = await startPetstore({ seed: 3_000, orderHoldMs: 900_000 })
  const { page, problems } = await openPets(browser, petstore)
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

function editPet(page: Page, round: number): Promise<void> {
  const steps = `[g] > [p] > <heading Pets> > open ${1 + (round % 20)} > Name = Renamed ${round}`
  return takeAll(page, `${steps} > [Enter] > "Renamed ${round}"`)
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
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Find a pet by name').fill('1500')
  await page.getByText('Go to pet 1500').click()
  await rowOf(page, 1_500).waitFor()
}

async function addAndSell(page: Page, round: number): Promise<void> {
  await takeAll(page, `Add a pet > Name = Sold in round ${round}`)
  await page.getByRole('combobox', { name: 'Category' }).last().fill('77')
  await page.getByRole('option', { name: 'Category 77' }).click()
  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { name: 'Add a pet' }).waitFor({ state: 'detached' })
  const added = page.getByText(/^Pet \d+ was added/).last()
  const id = /\d+/.exec((await added.textContent()) ?? '')?.[0] ?? ''
  await takeAll(page, `[g] > [o] > <heading Orders> > Place an order > Pet = ${id} > Place`)
  for (const move of [/^Ship order/, /^Deliver order/]) {
    await page.getByRole('button', { name: move }).first().click()
    await take(page, 'Now')
  }
  await page
    .getByText(/was delivered\.$/)
    .last()
    .waitFor()
}

function setStock(page: Page, round: number): Promise<void> {
  const steps = `[g] > [i] > <heading Inventory> > down 1 > [Enter] > In stock = ${100 + round}`
  return takeAll(page, `${steps} > [Enter] > ": ${100 + round} in stock."`)
}

function editCategory(page: Page, round: number): Promise<void> {
  const steps = '[g] > [c] > <heading Categories> > open 1 > Description ='
  return takeAll(page, `${steps} In round ${round} > Save > "In round ${round}"`)
}

async function lookAround(page: Page): Promise<void> {
  await takeAll(page, '[g] > [v] > <heading Overview>')
  await untilCounted(page)
  await take(page, '[Control+k]')
  await page.getByPlaceholder('Find a pet by name').waitFor()
  await take(page, '[Escape]')
  await page.getByPlaceholder('Find a pet by name').waitFor({ state: 'detached' })
}
