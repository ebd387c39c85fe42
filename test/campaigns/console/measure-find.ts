import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { startPetstore } from '../../../src/start-petstore.ts'
import { openConsole, rowOf, signIn } from '../../harness/console-page.ts'
import { clientOf } from '../../harness/console-state.ts'

const rounds = 20
const shownMaxMs = 100
/** Between two keys of somebody who types quickly. */
const keyPauseMs = 80

/** The time from the last key of a word until the pets that have it are shown, in the list and in the palette. */
export async function measureFind(browser: Browser): Promise<void> {
  await using petstore = await startPetstore({ seed: 10_000 })
  const words = Array.from({ length: rounds }, (_, round) => `wanted${10 + round}`)
  for (const word of words) {
    await clientOf(petstore).pets.create({ name: `Tara, ${word}`, categoryId: 1 })
  }
  const { origin } = new URL(petstore.baseUrl)
  const { page, problems } = await openConsole(browser, { origin, path: 'console/pets' })
  await signIn(page, petstore.key)
  await rowOf(page, 1).waitFor()

  const inList: number[] = []
  const inPalette: number[] = []
  const search = page.getByRole('searchbox')
  for (const word of words) {
    await search.focus()
    inList.push(await typeWord(page, word, '[role=row][id^=row-]'))
    await search.fill('')
    await rowOf(page, 1).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Find a pet by name').waitFor()
    inPalette.push(await typeWord(page, word, '[data-action]:has(mark)'))
    await page.keyboard.press('Escape')
    await page.getByPlaceholder('Find a pet by name').waitFor({ state: 'detached' })
  }
  await page.context().close()

  const medians = Object.entries({ list: inList, palette: inPalette }).map(([place, times]) => {
    times.sort((one, other) => one - other)
    const [median = Number.NaN, most = Number.NaN] = [times[times.length >> 1], times.at(-1)]
    console.log(
      `found pets are in the ${place} ${median.toFixed(0)} ms after the last key in the median, ${most.toFixed(0)} ms at most`,
    )
    return median
  })
  assert.ok(Math.max(...medians) <= shownMaxMs, `${medians} ms`)
  assert.deepEqual(problems, [])
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
