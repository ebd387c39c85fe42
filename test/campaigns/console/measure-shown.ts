import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { median } from '../../../bench/statistics.ts'
import { startPetstore } from '../../../src/start-petstore.ts'
import { rowOf } from '../../harness/console-page.ts'
import { clientOf } from '../../harness/console-state.ts'
import { openPets } from './steps.ts'

const rounds = 20
/** What others change is there within half a second. */
const changeMaxMs = 500
/** In the median. */
const foundMaxMs = 100
/** Between two keys of somebody who types quickly. */
const keyPauseMs = 80

/** The time from the response to another client until the console shows its change. */
export async function measureLive(browser: Browser): Promise<void> {
  await using petstore = await startPetstore({ seed: 300 })
  const { page, problems } = await openPets(browser, petstore)
  const times: number[] = []
  for (let change = 1; change <= rounds; change++) {
    const [id, name] = [1 + (change % 10), `Changed by another ${change}`]
    // At another moment of the stream each time.
    await page.evaluate(`new Promise((resolve) => setTimeout(resolve, ${(change * 277) % 1_500}))`)
    await clientOf(petstore).pets.update(id, { name })
    const startMs = performance.now()
    await rowOf(page, id).getByText(name, { exact: true }).waitFor()
    times.push(performance.now() - startMs)
  }
  await page.context().close()
  report('a change by others is shown', times)
  assert.deepEqual(problems, [])
  assert.ok(Math.max(...times) <= changeMaxMs)
}

/** The time from the last key of a word until the pets that have it are shown, in the list and in the palette. */
export async function measureFind(browser: Browser): Promise<void> {
  await using petstore = await startPetstore({ seed: 10_000 })
  const words = Array.from({ length: rounds }, (_, round) => `wanted${10 + round}`)
  for (const word of words) {
    await clientOf(petstore).pets.create({ name: `Tara, ${word}`, categoryId: 1 })
  }
  const { page, problems } = await openPets(browser, petstore)
  const inList: number[] = []
  const inPalette: number[] = []
  const search = page.getByRole('searchbox')
  const palette = page.getByPlaceholder('Find a pet by name')
  for (const word of words) {
    await search.focus()
    inList.push(await typeWord(page, word, '[role=row][id^=row-]'))
    await search.fill('')
    await rowOf(page, 1).waitFor()
    await page.keyboard.press('Control+k')
    await palette.waitFor()
    inPalette.push(await typeWord(page, word, '[data-action]:has(mark)'))
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })
  }
  await page.context().close()
  report('found pets are in the list', inList)
  report('found pets are in the palette', inPalette)
  assert.deepEqual(problems, [])
  assert.ok(Math.max(median(inList), median(inPalette)) <= foundMaxMs)
}

function report(what: string, times: readonly number[]): void {
  const [middle, most] = [median(times), Math.max(...times)].map((ms) => ms.toFixed(0))
  console.log(`${what} after ${middle} ms in the median, ${most} ms at most`)
}

/** The milliseconds from its last key until one element alone is left, and has the word. Its beginnings find others too. */
async function typeWord(page: Page, word: string, selector: string): Promise<number> {
  const shown = page.evaluate(`new Promise((resolve) => {
    let typedMs
    addEventListener('keydown', ({ key }) => { if (key.length === 1) typedMs = performance.now() }, true)
    const observer = new MutationObserver(() => {
      const found = document.querySelectorAll('${selector}')
      if (found.length !== 1 || !found[0].textContent.includes('${word}')) return
      observer.disconnect()
      requestAnimationFrame(() => resolve(performance.now() - typedMs))
    })
    observer.observe(document.body, { subtree: true, childList: true, characterData: true })
  })`)
  await page.keyboard.type(word, { delay: keyPauseMs })
  return (await shown) as number
}
