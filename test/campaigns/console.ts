import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { startPetstore } from '../../src/start-petstore.ts'
import { launchBrowser } from '../harness/browser.ts'
import {
  buildConsole,
  expectAccessible,
  openConsole,
  rowOf,
  signIn,
} from '../harness/console-page.ts'
import { consoleStates } from '../harness/console-states.ts'
import { fillSqlite } from '../harness/fill.ts'
import { settingsFor, startService } from '../processes/process.ts'

// The console in every state, size and colour scheme, with a picture of each; and its list of ten million pets, scrolled for
// ten minutes. `npm run test:console -- MINUTES`.

const pictures = 'coverage/console'
const petCount = 10_000_000
const minutes = Number(process.argv[2] ?? 10)
/** The heap after scrolling, compared with that after the first minute. */
const growthMaxBytes = 5_000_000

await buildConsole()
const browser = await launchBrowser()
try {
  await scrollTenMillion(browser)
  await showStates(browser)
} finally {
  await browser.close()
}

async function showStates(browser: Browser) {
  mkdirSync(pictures, { recursive: true })
  const petstore = await startPetstore({ seed: 300 })
  let count = 0
  const found: string[] = []
  for await (const { name, page, problems } of consoleStates(browser, petstore)) {
    await page.screenshot({ path: join(pictures, `${name}.png`) })
    await expectAccessible(page, name).catch((error: Error) => found.push(error.message))
    found.push(...problems.map((problem) => `${name}: ${problem}`))
    count += 1
  }
  await petstore.close()
  assert.deepEqual(found, [])
  console.log(
    `${count} states: nothing found by axe, no error, no report of the policy; see ${pictures}/`,
  )
}

async function scrollTenMillion(browser: Browser) {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-console-'))
  const env = { ...settingsFor(directory), PETSTORE_CONSOLE: 'on', PETSTORE_ENVIRONMENT: 'staging' }
  try {
    const empty = await startService({ env })
    await empty.stop()
    fillSqlite(join(directory, 'petstore.db'), petCount)
    await using service = await startService({ env })
    const { origin } = new URL(service.baseUrl)
    const window = await openConsole(browser, { origin, path: 'console/pets' })
    await signIn(window.page, service.key)
    await rowOf(window.page, 1).waitFor()
    await measureLoads(window.page)
    await jump(window.page)
    await scroll(window.page)
    assert.deepEqual(window.problems, [])
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** The time from the start of a reload until rows are shown, and what it transfers. */
async function measureLoads(page: Page) {
  await page.reload()
  await rowOf(page, 1).waitFor()
  const timing = `(() => {
    const files = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/assets/'))
    return { bytes: files.reduce((sum, { transferSize }) => sum + transferSize, 0), ms: Math.round(performance.now()) }
  })()`
  console.log('reload from the cache, until rows are shown:', await page.evaluate(timing))
}

async function jump(page: Page) {
  for (const id of [5_000_000, petCount - 50]) {
    await page.getByRole('textbox', { name: 'Go to id' }).fill(String(id))
    await page.keyboard.press('Enter')
    await rowOf(page, id).waitFor()
  }
  await page.getByRole('grid').focus()
  await page.keyboard.press('End')
  await rowOf(page, petCount).waitFor()
  await page.keyboard.press('Home')
  await rowOf(page, 1).waitFor()
}

/** Scrolls down and, in the last third, up again; the rows in view must follow one upon another. */
async function scroll(page: Page) {
  await page.getByRole('grid').hover()
  const startMs = performance.now()
  const endMs = startMs + minutes * 60_000
  const heaps: number[] = []
  let last = 0
  while (performance.now() < endMs) {
    const isBack = performance.now() > startMs + (minutes * 60_000 * 2) / 3
    await page.mouse.wheel(0, isBack ? -4_000 : 4_000)
    const ids = await shownIds(page)
    assert.ok(ids.length < 100, `${ids.length} rows are in the page`)
    for (const [index, id] of ids.slice(1).entries()) assert.equal(id, (ids[index] ?? 0) + 1)
    last = Math.max(last, ids.at(-1) ?? 0)
    if (heaps.length < (performance.now() - startMs) / 30_000) heaps.push(await heapOf(page))
  }
  const [first = 0] = heaps.slice(1)
  console.log(
    `scrolled to pet ${last} and back in ${minutes} minutes; heap in MB each half minute:`,
    heaps.map((bytes) => (bytes / 1e6).toFixed(1)).join(' '),
  )
  assert.ok((heaps.at(-1) ?? 0) - first < growthMaxBytes, 'the memory grows')
}

async function shownIds(page: Page): Promise<number[]> {
  const ids = await page.evaluate(
    `[...document.querySelectorAll('[id^="row-"]')].map(({ id }) => Number(id.slice(4))).sort((a, b) => a - b)`,
  )
  return ids as number[]
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize
}
