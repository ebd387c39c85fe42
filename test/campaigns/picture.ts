import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchBrowser } from '../harness/browser.ts'
import { openPage } from '../harness/docs-page.ts'
import { settingsFor, startService } from '../processes/process.ts'

// Takes the picture of README.md: the reference page of a new store in production.

const path = 'docs/reference-page.png'
const viewport = { width: 1200, height: 920 }
const sizeMaxBytes = 150_000

const directory = mkdtempSync(join(tmpdir(), 'petstore-picture-'))
const service = await startService({ env: settingsFor(directory) })
const browser = await launchBrowser()
try {
  const { page } = await openPage(browser, new URL('/docs#createPet', service.baseUrl).href, {
    viewport,
  })
  await page.evaluate(
    `for (const one of document.querySelectorAll('.base-url')) one.textContent = 'http://127.0.0.1:8080/v1'`,
  )
  await page.screenshot({ path })
} finally {
  await browser.close()
  await service.stop()
  rmSync(directory, { recursive: true })
}

const size = statSync(path).size
if (size > sizeMaxBytes) throw new Error(`${path} has ${size} bytes; at most ${sizeMaxBytes}.`)
console.log(`${path}: ${size} bytes`)
