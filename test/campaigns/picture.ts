/**
 * npm run picture
 * Takes the pictures of README.md: the console, and the reference page, of a store in production. It needs a monospaced font.
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../harness/browser.ts'
import { buildConsole, openConsole, rowOf, signIn } from '../harness/console-page.ts'
import { openPage } from '../harness/docs-page.ts'
import { type Service, settingsFor, startService } from '../processes/process.ts'

const sizeMaxBytes = 150_000
const paths = {
  reference: 'docs/reference-page.png',
  pets: 'docs/console-pets.png',
  overview: 'docs/console-overview.png',
}

const directory = mkdtempSync(join(tmpdir(), 'petstore-picture-'))
const env = { ...settingsFor(directory), PETSTORE_CONSOLE: 'on' }
await buildConsole()
const service = await startService({ args: ['serve', '--json', '--seed', '2000'], env })
const browser = await launchBrowser('/usr/share/fonts')
try {
  await takeReference(browser, service)
  await takePets(browser, service)
  await takeOverview(browser, service)
} finally {
  await browser.close()
  await service.stop()
  rmSync(directory, { recursive: true })
}

for (const path of Object.values(paths)) {
  const { size } = statSync(path)
  if (size > sizeMaxBytes) throw new Error(`${path} has ${size} bytes; at most ${sizeMaxBytes}.`)
  console.log(`${path}: ${size} bytes`)
}

async function takeReference(browser: Browser, { baseUrl }: Service) {
  const viewport = { width: 1200, height: 920 }
  const { page } = await openPage(browser, new URL('/docs#createPet', baseUrl).href, { viewport })
  await page.evaluate(
    `for (const one of document.querySelectorAll('.base-url')) one.textContent = 'http://127.0.0.1:8080/v1'`,
  )
  await expectMonospaced(page)
  await page.screenshot({ path: paths.reference })
}

async function expectMonospaced(page: Page) {
  const widths = await page.evaluate(`['iiii', 'MMMM'].map((text) => {
    const box = document.querySelector('pre code').appendChild(document.createElement('span'))
    box.textContent = text
    const { width } = box.getBoundingClientRect()
    box.remove()
    return width
  })`)
  const [narrow, wide] = widths as number[]
  if (narrow !== wide) throw new Error('There is no monospaced font: install fonts-dejavu-core.')
}

async function takePets(browser: Browser, { baseUrl, key }: Service) {
  const page = await openAt(browser, { baseUrl, key, path: 'console/pets' }, 'light')
  await page.getByText('2,000 pets').waitFor()
  await rowOf(page, 4).click()
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor()
  await page.getByRole('combobox', { name: 'Status' }).last().click()
  await page.getByRole('option', { name: 'Sold' }).waitFor()
  await page.screenshot({ path: paths.pets })
}

async function takeOverview(browser: Browser, { baseUrl, key }: Service) {
  const page = await openAt(browser, { baseUrl, key, path: 'console/overview' }, 'dark')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await page.getByRole('table', { name: 'Pets by status' }).getByText('Available').waitFor()
  const menu = await page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link')
    .allInnerTexts()
  // test/console/pictures.test.ts compares it.
  const labels = menu.map((label) => JSON.stringify(label.trim()))
  writeFileSync('docs/console-menu.json', `[${labels.join(', ')}]\n`)
  await page.screenshot({ path: paths.overview })
}

async function openAt(
  browser: Browser,
  { baseUrl, key, path }: { baseUrl: string; key: string; path: string },
  colorScheme: 'light' | 'dark',
) {
  const viewport = { width: 1200, height: 760 }
  const options = { viewport, colorScheme, reducedMotion: 'reduce' } as const
  const { page } = await openConsole(browser, { origin: new URL(baseUrl).origin, path }, options)
  await signIn(page, key)
  return page
}
