import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { type OpenPage, openPage } from './docs-page.ts'

const root = join(import.meta.dirname, '../..')
/** Builds the console, unless it is built. */
export async function buildConsole(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(root, 'bin/launch/build-console.js')])
}

/** Opens the console of this origin in a window of its own. */
export function openConsole(
  browser: Browser,
  { origin, path = 'console/' }: { origin: string; path?: string },
  options: BrowserContextOptions = {},
): Promise<OpenPage> {
  // The browser says of each response with an error that a resource failed to load.
  const isProblem = (message: string) => !message.startsWith('Failed to load resource')
  return openPage(browser, `${origin}/${path}`, { ...options, isProblem })
}

export async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key', { exact: true }).fill(key)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** The row of the list with this id. */
export function rowOf(page: Page, id: number | bigint): Locator {
  return page.locator(`#row-${id}`)
}

/** The rows in view, as texts. */
export async function rowsOn(page: Page): Promise<string[]> {
  return page.locator('[role="row"][id^="row-"]').allTextContents()
}

/**
 * Holds the messages of a page as a pointer on them does: none goes, and nothing that can be undone is sent, however slow the
 * machine is.
 */
export async function holdMessages(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Messages' }).waitFor({ state: 'attached' })
  const session = await page.context().newCDPSession(page)
  await session.send('DOM.enable')
  await session.send('CSS.enable')
  const { root } = await session.send('DOM.getDocument')
  const messages = { nodeId: root.nodeId, selector: '[aria-label="Messages"]' }
  const { nodeId } = await session.send('DOM.querySelector', messages)
  await session.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses: ['hover'] })
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Fails where axe finds anything, of any severity. */
export async function expectAccessible(page: Page, state: string): Promise<void> {
  await settled(page)
  await page.evaluate(axe)
  const found = (await page.evaluate(`axe.run().then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map((node) => id + ': ' + node.html + ' ' + node.failureSummary)))`)) as string[]
  assert.deepEqual(found, [], state)
}

/** Takes a picture, unless no path is given; fails where axe finds anything, or the page is wider than its window. */
export async function expectSound(page: Page, name: string, picture?: string): Promise<void> {
  if (picture !== undefined) await page.screenshot({ path: picture })
  await expectAccessible(page, name)
  const [width, room] = (await page.evaluate(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  )) as [number, number]
  assert.ok(width <= room, `${name} is ${width} wide in a window of ${room}`)
}

/** Resolves once no transition or animation that ends is running. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(`Promise.allSettled(document.getAnimations()
    .filter(({ effect }) => effect.getTiming().iterations !== Infinity).map((one) => one.finished))`)
}
