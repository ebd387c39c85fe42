import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'

// A step takes up to 0.5 s on an idle machine; the limit is for one that is busy.
const stepTimeoutMs = 60_000
/** Of the schemas, which all look alike. */
const modelsLookedAt = 2

/** The reference page in a browser, with its requests to other origins and the errors on its console. */
export type DocsPage = { page: Page; problems: string[] }

/** Opens the reference page of this origin; it is closed with its context. */
export async function openDocsPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions,
): Promise<DocsPage> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(stepTimeoutMs)
  const problems: string[] = []
  context.on('request', (request) => {
    const isOurs = request.url().startsWith(`${origin}/`) || request.url().startsWith('data:')
    if (!isOurs) problems.push(`asked for ${request.url()}`)
  })
  context.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  context.on('weberror', (error) => problems.push(String(error.error())))
  await context.addInitScript(
    `addEventListener('securitypolicyviolation', (event) =>
      console.error('refused by policy:', event.violatedDirective, event.blockedURI))`,
  )

  const page = await context.newPage()
  await page.goto(`${origin}/docs`)
  if (options.javaScriptEnabled !== false) await operationOn(page, 'listPets').waitFor()
  return { page, problems }
}

export function operationOn(page: Page, operationId: string): Locator {
  return page.locator(`.opblock[id$="-${operationId}"]`)
}

/** Opens an operation, unless it is open. */
export async function openOperation(page: Page, operationId: string): Promise<Locator> {
  const operation = operationOn(page, operationId)
  const inner = operation.locator('.responses-inner')
  if (!(await inner.isVisible())) await operation.locator('.opblock-summary-control').click()
  await inner.waitFor()
  return operation
}

/** Opens some of the schemas. */
export async function openSchemas(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Schemas' }).click()
  await page.locator('section.models .json-schema-2020-12').first().waitFor()
  const expandAll = page.getByRole('button', { name: 'Expand all' })
  for (let opened = 0; opened < modelsLookedAt; opened++) await expandAll.first().click()
}

/** Sets the colour scheme of the system; resolves once the page follows, and no colour changes any more. */
export async function preferColorScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.locator(colorScheme === 'dark' ? 'html.dark-mode' : 'html:not(.dark-mode)').waitFor()
  await page.evaluate(`Promise.allSettled(document.getAnimations()
    .filter((one) => one instanceof CSSTransition).map((one) => one.finished))`)
}

/** Authorizes the page with a valid key. */
export async function authorize(page: Page, key: string): Promise<void> {
  await page.getByRole('button', { name: 'Authorize', exact: true }).click()
  await enterKey(page, key)
  const dialog = page.locator('.modal-ux')
  await dialog.getByText('Authorized').waitFor()
  await dialog.locator('.btn-done').click()
}

/** Enters a key into the dialog, which is open. */
export async function enterKey(page: Page, key: string): Promise<void> {
  const dialog = page.locator('.modal-ux')
  await dialog.getByLabel('API key').fill(key)
  await dialog.getByRole('button', { name: 'Apply credentials' }).click()
}

/** The status of the response that an operation shows. */
export function statusOf(opened: Locator): Promise<string> {
  return textOf(opened.locator('.live-responses-table .response .response-col_status'))
}

/** The body of the response that an operation shows. */
export function bodyOf(opened: Locator): Promise<string> {
  return textOf(opened.locator('.live-responses-table .highlight-code pre'))
}

export async function textOf(element: Locator): Promise<string> {
  return (await element.textContent()) ?? ''
}

/** Fails where a text of the page, as it is, has too little contrast. */
export async function expectReadable(page: Page): Promise<void> {
  const script = new URL('../browser/find-low-contrast.js', import.meta.url)
  assert.deepEqual(await page.evaluate(await readFile(script, 'utf8')), [])
}
