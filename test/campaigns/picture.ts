/**
 * npm run picture
 * Takes the picture of README.md: the console of a store in production.
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../harness/browser.ts'
import { buildConsole, openConsole, rowOf, signIn } from '../harness/console-page.ts'
import { type Service, settingsFor, startService } from '../processes/process.ts'

const sizeMaxBytes = 150_000
const path = 'docs/console-pets.png'

const directory = mkdtempSync(join(tmpdir(), 'petstore-picture-'))
const env = { ...settingsFor(directory), PETSTORE_CONSOLE: 'on' }
await buildConsole()
const service = await startService({ args: ['serve', '--json', '--seed', '2000'], env })
const browser = await launchBrowser('/usr/share/fonts')
try {
  await takePets(browser, service)
} finally {
  await browser.close()
  await service.stop()
  rmSync(directory, { recursive: true })
}

const { size } = statSync(path)
if (size > sizeMaxBytes) throw new Error(`${path} has ${size} bytes; at most ${sizeMaxBytes}.`)
console.log(`${path}: ${size} bytes`)

async function takePets(browser: Browser, { baseUrl, key }: Service) {
  const viewport = { width: 1200, height: 760 }
  const options = { viewport, colorScheme: 'light', reducedMotion: 'reduce' } as const
  const { origin } = new URL(baseUrl)
  const { page } = await openConsole(browser, { origin, path: 'console/pets' }, options)
  await signIn(page, key)
  await page.getByText('2,000 pets').waitFor()
  const menu = await page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link')
    .allInnerTexts()
  // test/console/pictures.test.ts compares it.
  const labels = menu.map((label) => JSON.stringify(label.trim()))
  writeFileSync('docs/console-menu.json', `[${labels.join(', ')}]\n`)
  await rowOf(page, 4).click()
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor()
  await page.getByRole('combobox', { name: 'Status' }).last().click()
  await page.getByRole('option', { name: 'Sold' }).waitFor()
  await page.screenshot({ path })
}
