import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { startPetstore } from '../../../src/start-petstore.ts'
import { expectAccessible, openConsole, rowOf, signIn } from '../../harness/console-page.ts'
import { untilCounted } from '../../harness/console-state.ts'
import { appearances, consoleStates } from '../../harness/console-states.ts'
import { settingsFor, startService } from '../../processes/process.ts'

const pictures = 'coverage/console'

type Found = { count: number; faults: string[] }

function add(found: Found, fault: string): void {
  console.error(fault)
  found.faults.push(fault)
}

/** Shows each state, takes a picture of it, and throws where axe, the browser or the policy finds anything. */
export async function showStates(browser: Browser, only: string): Promise<void> {
  mkdirSync(pictures, { recursive: true })
  const found: Found = { count: 0, faults: [] }
  await using petstore = await startPetstore({ seed: 300, orderHoldMs: 900_000 })
  for await (const state of consoleStates(browser, petstore, only)) {
    if (state.failure !== undefined) add(found, `${state.name}: ${state.failure}`)
    await inspect(state, found)
  }
  if ('production'.startsWith(only)) await showProduction(browser, found)
  assert.equal(found.faults.length, 0, `${found.faults.length} faults`)
  console.log(
    `${found.count} states: nothing found by axe, no error, no report of the policy; see ${pictures}/`,
  )
}

/** Sign-in, a list and the overview of a store in production. */
async function showProduction(browser: Browser, found: Found): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-console-'))
  const env = { ...settingsFor(directory), PETSTORE_CONSOLE: 'on' }
  try {
    await using service = await startService({ args: ['serve', '--json', '--seed', '300'], env })
    const { origin } = new URL(service.baseUrl)
    for (const { appearance: name, options } of appearances) {
      const { page, problems } = await openConsole(browser, { origin }, options)
      await inspect({ name: `production-sign-in-${name}`, page, problems }, found)
      await signIn(page, service.key)
      await page.getByRole('navigation', { name: 'Pages' }).waitFor()
      await page.goto(`${origin}/console/pets`)
      await rowOf(page, 1).waitFor()
      await inspect({ name: `production-pets-${name}`, page, problems }, found)
      await page.goto(`${origin}/console/overview`)
      await untilCounted(page)
      await inspect({ name: `production-overview-${name}`, page, problems }, found)
      await page.context().close()
    }
  } finally {
    rmSync(directory, { recursive: true })
  }
}

async function inspect(
  { name, page, problems }: { name: string; page: Page; problems: readonly string[] },
  found: Found,
): Promise<void> {
  found.count += 1
  await expectAccessible(page, name).catch(({ message }: Error) => add(found, message))
  await page.screenshot({ path: join(pictures, `${name}.png`) })
  for (const problem of problems) add(found, `${name}: ${problem}`)
  const [width, room] = (await page.evaluate(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  )) as [number, number]
  if (width > room) add(found, `${name} is ${width} wide in a window of ${room}`)
}
