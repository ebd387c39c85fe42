import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'

// A step takes up to 0.5 s on an idle machine; the limit is for one that is busy.
const stepTimeoutMs = 60_000

/** A page of the service in a browser, with its requests to other origins and the errors on its console. */
export type OpenPage = { page: Page; problems: string[] }

/** `isProblem` tells which errors on the console of the page are problems; all unless given. */
type PageOptions = BrowserContextOptions & { isProblem?: (message: string) => boolean }

/** Opens a page of this origin; it is closed with its context. */
export async function openPage(
  browser: Browser,
  address: string,
  { isProblem = () => true, ...options }: PageOptions = {},
): Promise<OpenPage> {
  const { origin } = new URL(address)
  const context = await browser.newContext(options)
  context.setDefaultTimeout(stepTimeoutMs)
  const problems: string[] = []
  context.on('request', (request) => {
    // What a page has made itself is of its own origin.
    const url = request.url().replace(/^blob:/, '')
    if (!url.startsWith(`${origin}/`)) problems.push(`asked for ${url}`)
  })
  context.on('console', (message) => {
    if (message.type() === 'error' && isProblem(message.text())) problems.push(message.text())
  })
  context.on('weberror', (error) => problems.push(String(error.error())))
  await context.addInitScript(
    `addEventListener('securitypolicyviolation', (event) =>
      console.error('refused by policy:', event.violatedDirective, event.blockedURI))`,
  )

  const page = await context.newPage()
  await page.goto(address)
  return { page, problems }
}

export function operationOn(page: Page, operationId: string): Locator {
  return page.locator(`.operation[data-operation="${operationId}"]`)
}

/** Opens an operation, unless it is open. */
export async function openOperation(page: Page, operationId: string): Promise<Locator> {
  const operation = operationOn(page, operationId)
  const body = operation.locator('.operation-body')
  if (!(await body.isVisible())) await operation.locator(':scope > summary').click()
  await body.waitFor()
  return operation
}

/** Sets the colour scheme of the system; resolves once no colour changes any more. */
export async function preferColorScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.evaluate(`Promise.allSettled(document.getAnimations()
    .filter((one) => one instanceof CSSTransition).map((one) => one.finished))`)
}

/** Enters a valid key. */
export async function useKey(page: Page, key: string): Promise<void> {
  await enterKey(page, key)
  await page.locator('.key-state.is-taken').waitFor()
}

export async function enterKey(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Use this key' }).click()
}

/** Sends the request of an operation that is open, and resolves to the status of the response. */
export async function send(opened: Locator): Promise<string> {
  await opened.getByRole('button', { name: 'Send' }).click()
  return textOf(opened.locator('.answered .status'))
}

/** The body of the response that an operation shows. */
export function bodyOf(opened: Locator): Promise<string> {
  return textOf(opened.locator('.result pre'))
}

export async function textOf(element: Locator): Promise<string> {
  return (await element.textContent()) ?? ''
}

/** Fails where a text of the page, as it is, has too little contrast. */
export async function expectReadable(page: Page): Promise<void> {
  const script = new URL('../browser/find-low-contrast.js', import.meta.url)
  assert.deepEqual(await page.evaluate(await readFile(script, 'utf8')), [])
}
