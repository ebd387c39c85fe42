import assert from 'node:assert/strict'
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { rowOf } from '../../harness/console-page.ts'
import { fillPets } from '../../harness/fill.ts'
import { settingsFor, startService } from '../../processes/process.ts'
import { watchMemory } from './memory.ts'
import { openPets } from './steps.ts'

type Extent = { minutes: number; petCount: number }

/** Goes through a list of this many pets: to its end, to ids far within, and on and on with the wheel. */
export async function scrollPets(browser: Browser, extent: Extent): Promise<void> {
  using directory = mkdtempDisposableSync(join(tmpdir(), 'petstore-console-'))
  const env = {
    ...settingsFor(directory.path),
    PETSTORE_CONSOLE: 'on',
    PETSTORE_ENVIRONMENT: 'staging',
  }
  await (await startService({ env })).stop()
  await fillPets(`sqlite:${join(directory.path, 'petstore.db')}`, extent.petCount)
  await using service = await startService({ env })
  const { page, problems } = await openPets(browser, service)
  await measureLoads(page)
  await jump(page, extent)
  await scroll(page, extent)
  assert.deepEqual(problems, [])
  await page.context().close()
}

/** The time from the start of a reload until rows are shown, and what it transfers. */
async function measureLoads(page: Page): Promise<void> {
  await page.reload()
  await rowOf(page, 1).waitFor()
  const timing = `(() => {
    const files = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/assets/'))
    return { bytes: files.reduce((sum, { transferSize }) => sum + transferSize, 0), ms: Math.round(performance.now()) }
  })()`
  console.log('reload from the cache, until rows are shown:', await page.evaluate(timing))
}

async function jump(page: Page, { petCount }: Extent): Promise<void> {
  const goTo = (id: number) => async () => {
    await page.getByRole('textbox', { name: 'Go to id' }).fill(String(id))
    await page.keyboard.press('Enter')
  }
  const ways: [id: number, go: () => Promise<void>][] = [
    [petCount >> 1, goTo(petCount >> 1)],
    [petCount - 50, goTo(petCount - 50)],
    [petCount, () => page.getByRole('grid').press('End')],
    [1, () => page.getByRole('grid').press('Home')],
  ]
  const times: number[] = []
  for (const [id, go] of ways) {
    const startMs = performance.now()
    await go()
    await rowOf(page, id).waitFor()
    times.push(Math.round(performance.now() - startMs))
  }
  console.log(`to an id in the middle, to one at the end, End, Home: ${times.join(', ')} ms`)
}

/** Scrolls down and, in the last third, up again; the rows in view must follow one upon another. */
async function scroll(page: Page, { minutes }: Extent): Promise<void> {
  await page.getByRole('grid').hover()
  const startMs = performance.now()
  const endMs = startMs + minutes * 60_000
  const memory = watchMemory(page)
  let last = 0
  while (performance.now() < endMs) {
    const isBack = performance.now() > startMs + (minutes * 60_000 * 2) / 3
    await page.mouse.wheel(0, isBack ? -4_000 : 4_000)
    const ids = await shownIds(page)
    assert.ok(ids.length < 100, `${ids.length} rows are in the page`)
    for (const [index, id] of ids.slice(1).entries()) assert.equal(id, (ids[index] ?? 0) + 1)
    last = Math.max(last, ids.at(-1) ?? 0)
    await memory.measure()
  }
  memory.report(`scrolled to pet ${last} and back in ${minutes} minutes`)
}

async function shownIds(page: Page): Promise<number[]> {
  const ids = await page.evaluate(
    `[...document.querySelectorAll('[id^="row-"]')].map(({ id }) => Number(id.slice(4))).sort((a, b) => a - b)`,
  )
  return ids as number[]
}
