import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { startPetstore } from '../../../src/start-petstore.ts'
import { enterKey, openPage, operationOn, send, useKey } from '../../harness/docs-page.ts'
import { type Open, showEach } from './show.ts'

/** Shows the pages that the front door leads to, and what a reader does with the reference. */
export async function showPages(browser: Browser, only: string): Promise<void> {
  await using petstore = await startPetstore({ seed: 100 })
  const { origin } = new URL(petstore.baseUrl)
  const opened =
    (path: string, prepare?: (page: Page) => Promise<unknown>): Open =>
    async (options) => {
      // The browser itself logs every response of these kinds. axe is a script that the policy of the pages would refuse.
      const isProblem = (message: string) => !/status of 40[14]/.test(message)
      const more = { bypassCSP: true, isProblem }
      const window = await openPage(browser, origin + path, { ...options, ...more })
      await prepare?.(window.page)
      return window
    }
  const paths = ['/', '/nothing/docs', '/docs', '/guides', ...(await guidesOf(browser, origin))]
  const plain = paths.map((path) => [path.slice(1).replaceAll('/', '-') || 'home', opened(path)])
  await showEach(
    'pages',
    {
      ...Object.fromEntries(plain),
      'console-pending': opened('/console/', showPending),
      'docs-createPet': opened('/docs#createPet'),
      'docs-getPet': opened('/docs#getPet'),
      'docs-sent': opened('/docs#listPets', (page) => sendListPets(page, petstore.key)),
      'docs-search': opened('/docs', (page) => page.fill('#search', 'order')),
      'docs-refused': opened('/docs', refuseKey),
      'docs-everything': opened('/docs', (page) =>
        page.evaluate(`for (const box of document.querySelectorAll('details')) box.open = true`),
      ),
    },
    only,
  )
}

async function guidesOf(browser: Browser, origin: string): Promise<string[]> {
  const { page } = await openPage(browser, `${origin}/guides`)
  const guides = (await page.evaluate(
    `[...document.querySelectorAll('main a')].map((link) => new URL(link.href).pathname)`,
  )) as string[]
  await page.context().close()
  assert.ok(guides.length > 5, String(guides))
  return guides
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

async function sendListPets(page: Page, key: string) {
  await useKey(page, key)
  assert.equal(await send(operationOn(page, 'listPets')), '200')
  await operationOn(page, 'listPets').locator('.result').scrollIntoViewIfNeeded()
}

async function refuseKey(page: Page) {
  await enterKey(page, 'garbage')
  await page.getByRole('alert').waitFor()
}
