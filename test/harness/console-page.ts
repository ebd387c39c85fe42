import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'

const root = join(import.meta.dirname, '../..')
// A step takes up to 0.5 s on an idle machine; the limit is for one that is busy.
const stepTimeoutMs = 60_000

/** The console in a browser window, with what it should not do: requests to others, errors, violations of its policy. */
export type ConsolePage = { page: Page; problems: string[] }

/** Builds the console, unless it is built. */
export async function buildConsole(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(root, 'bin/launch/build-console.js')])
}

/** Opens the console of this origin in a window of its own. */
export async function openConsole(
  browser: Browser,
  { origin, path = 'console/' }: { origin: string; path?: string },
  options: BrowserContextOptions = {},
): Promise<ConsolePage> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(stepTimeoutMs)
  const problems: string[] = []
  context.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) problems.push(`asked for ${request.url()}`)
  })
  context.on('console', (message) => {
    // The browser says of each response with an error that a resource failed to load.
    const isResponse = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isResponse) problems.push(message.text())
  })
  context.on('weberror', (error) => problems.push(String(error.error())))
  await context.addInitScript(
    `addEventListener('securitypolicyviolation', (event) =>
      console.error('refused by policy:', event.violatedDirective, event.blockedURI))`,
  )
  const page = await context.newPage()
  await page.goto(`${origin}/${path}`)
  return { page, problems }
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

const axe = join(root, 'console/node_modules/axe-core/axe.min.js')

/** Fails where axe finds anything, of any severity. */
export async function expectAccessible(page: Page, state: string): Promise<void> {
  assert.ok(existsSync(axe), 'axe is not installed')
  await settled(page)
  await page.evaluate(readFileSync(axe, 'utf8'))
  const found = (await page.evaluate(`axe.run().then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map((node) => id + ': ' + node.html + ' ' + node.failureSummary)))`)) as string[]
  assert.deepEqual(found, [], state)
}

/** Resolves once no transition or animation that ends is running. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(`Promise.allSettled(document.getAnimations()
    .filter(({ effect }) => effect.getTiming().iterations !== Infinity).map((one) => one.finished))`)
}
