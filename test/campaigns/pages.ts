import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { startPetstore } from '../../src/start-petstore.ts'
import { launchBrowser } from '../harness/browser.ts'
import { expectSound } from '../harness/console-page.ts'
import { openPage, operationOn, send } from '../harness/docs-page.ts'

// Opens every page of the service in both colour schemes, at a desk and on a phone, and requires that axe finds nothing, that
// nothing is wider than the screen and that the console has no error. `npm run test:pages -- FOLDER` also takes pictures.

type State = { name: string; path: string; prepare?: (page: Page) => Promise<void> }

const screens = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]
const folder = process.argv[2]
if (folder !== undefined) mkdirSync(folder, { recursive: true })

await using petstore = await startPetstore({ seed: 100 })
const origin = new URL(petstore.baseUrl).origin
const browser = await launchBrowser()
try {
  const states = await statesOf(browser)
  let checked = 0
  for (const viewport of screens) {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const state of states) {
        await check(state, { viewport, colorScheme })
        checked += 1
      }
    }
  }
  console.log(`${states.length} pages and states, ${checked} times: axe found nothing.`)
  await measure(browser)
} finally {
  await browser.close()
}

/** The pages that the front door leads to, and what a reader does with the reference. */
async function statesOf(browser: Browser): Promise<State[]> {
  const { page } = await openPage(browser, `${origin}/guides`)
  const guides = (await page.evaluate(
    `[...document.querySelectorAll('main a')].map((link) => new URL(link.href).pathname)`,
  )) as string[]
  await page.context().close()
  assert.ok(guides.length > 5, String(guides))
  return [
    ...['/', '/nothing/docs', '/docs', '/guides', ...guides].map((path) => ({ name: path, path })),
    { name: 'console-pending', path: '/console/', prepare: showPending },
    { name: 'docs-createPet', path: '/docs#createPet' },
    { name: 'docs-getPet', path: '/docs#getPet' },
    { name: 'docs-sent', path: '/docs#listPets', prepare: sendListPets },
    { name: 'docs-search', path: '/docs', prepare: (page) => page.fill('#search', 'order') },
    { name: 'docs-refused', path: '/docs', prepare: refuseKey },
    { name: 'docs-everything', path: '/docs', prepare: openEverything },
  ]
}

/** The page that stands in for the console until it is built. */
async function showPending(page: Page) {
  const text = await readFile('src/console/page/pending.html', 'utf8')
  const body = text.replace(
    '{{state}}',
    '<p>It is built once for each version, behind the running service.</p>',
  )
  await page.route('**/console/', (route) => route.fulfill({ body, contentType: 'text/html' }))
  await page.reload()
  await page.getByRole('heading', { name: 'The console is not built yet' }).waitFor()
}

async function sendListPets(page: Page) {
  await page.fill('#key-input', petstore.key)
  await page.click('#key-form [type=submit]')
  await page.locator('.key-state.is-taken').waitFor()
  assert.equal(await send(operationOn(page, 'listPets')), '200')
  await operationOn(page, 'listPets').locator('.result').scrollIntoViewIfNeeded()
}

async function refuseKey(page: Page) {
  await page.fill('#key-input', 'garbage')
  await page.click('#key-form [type=submit]')
  await page.getByRole('alert').waitFor()
}

async function openEverything(page: Page) {
  await page.evaluate(`for (const box of document.querySelectorAll('details')) box.open = true`)
}

async function check(
  { name, path, prepare }: State,
  { viewport, colorScheme }: { viewport: (typeof screens)[number]; colorScheme: 'light' | 'dark' },
) {
  const where = `${name} ${viewport.width} ${colorScheme}`
  // axe is a script that the policy of the pages would refuse.
  const options = { viewport, colorScheme, bypassCSP: true }
  const { page, problems } = await openPage(browser, origin + path, options)
  await prepare?.(page)
  const file = `${where.replaceAll(/[^\w-]+/g, '-').replace(/^-/, '')}.png`
  await expectSound(page, where, folder && join(folder, file))
  // The browser itself logs every response of this kind.
  const others = problems.filter((problem) => !/status of 40[14]/.test(problem))
  assert.deepEqual(others, [], where)
  await page.context().close()
}

/** What the reference costs its reader: bytes, and pixels for each operation. */
async function measure(browser: Browser) {
  const viewport = { width: 1440, height: 900 }
  const { page } = await openPage(browser, `${origin}/docs`, { viewport })
  const kilobytes = Number(
    await page.evaluate(
      `[...performance.getEntriesByType('resource'), ...performance.getEntriesByType('navigation')]
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000`,
    ),
  )
  await openEverything(page)
  await page.evaluate(
    `for (const box of document.querySelectorAll('.operation details')) box.open = false`,
  )
  const heights = (await page.evaluate(
    `[...document.querySelectorAll('.operation')].map((one) => Math.round(one.getBoundingClientRect().height))`,
  )) as number[]
  heights.sort((a, b) => a - b)
  const [least, median, most] = [0, heights.length >> 1, heights.length - 1].map(
    (at) => heights[at],
  )
  console.log(`The reference loads ${Math.round(kilobytes)} kB.`)
  console.log(`An open operation has ${median} pixels in the median, ${least} to ${most}.`)
}
