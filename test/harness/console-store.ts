import assert from 'node:assert/strict'
import { after, afterEach, before } from 'node:test'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { type Petstore, type PetstoreOptions, startPetstore } from '../../src/start-petstore.ts'
import { buildConsole, openConsole, signIn } from './console-page.ts'
import type { OpenPage } from './docs-page.ts'
import { call } from './petstore.ts'
import { sharedBrowser } from './shared-browser.ts'

/** A store and a browser for the tests of a file. A window that reports a problem fails its test. */
export function useConsoleStore(options: PetstoreOptions) {
  let petstore: Petstore
  let browser: Browser
  const windows: OpenPage[] = []

  before(async () => {
    const starting = Promise.all([startPetstore(options), sharedBrowser()])
    await buildConsole()
    const [started, launched] = await starting
    petstore = started
    browser = launched
  })
  after(() => petstore?.close())
  afterEach(async () => {
    const found = windows.splice(0)
    for (const { page } of found) await page.context().close()
    await petstore.faults.clear()
    for (const { problems } of found) assert.deepEqual(problems, [])
  })

  async function openWindow(path: string, options: BrowserContextOptions = {}) {
    const { origin } = new URL(petstore.baseUrl)
    const window = await openConsole(browser, { origin, path: `console/${path}` }, options)
    windows.push(window)
    return window.page
  }

  return {
    petstore: () => petstore,
    /** Signs in to a page of the console in a window of its own. */
    async open(path: string, key = petstore.key, options: BrowserContextOptions = {}) {
      const page = await openWindow(path, options)
      await signIn(page, key)
      return page
    },
    /** Opens the page that asks for a key in a window of its own. */
    openSignedOut: () => openWindow(''),
    /** Sends a request as another client does; resolves to the body of a response that is no error. */
    async send(method: string, path: string, body?: unknown): Promise<unknown> {
      const response = await call(petstore, path, { method, body })
      assert.ok(response.ok, `${method} ${path}: ${response.status}`)
      return response.status === 204 ? undefined : response.json()
    },
  }
}
