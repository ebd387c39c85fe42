import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { type Petstore, startPetstore } from '../../../src/start-petstore.ts'
import { expectSound, openConsole, rowOf, signIn } from '../../harness/console-page.ts'
import { untilCounted } from '../../harness/console-state.ts'
import type { OpenPage } from '../../harness/docs-page.ts'
import { settingsFor, startService } from '../../processes/process.ts'
import { type ConsoleState, type Shown, states } from './states.ts'
import { takeAll } from './steps.ts'

const pictures = 'coverage/console'

const sizes = {
  desk: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} as const

/** A size of the window and a colour scheme, with its name. */
const appearances = Object.entries(sizes).flatMap(([size, options]) =>
  (['light', 'dark'] as const).map((colorScheme) => ({
    appearance: `${size}-${colorScheme}`,
    options: { ...options, colorScheme, reducedMotion: 'reduce' } satisfies BrowserContextOptions,
  })),
)

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
  for (const { appearance, options } of appearances) {
    for (const [title, given] of Object.entries(states)) {
      const state = typeof given === 'string' ? { steps: given } : given
      const name = `${title}-${appearance}`
      if (!name.includes(only)) continue
      const window = await openState(browser, petstore, state, options)
      await reach(state, { page: window.page, petstore }).catch((error) =>
        add(found, `${name}: ${error}`),
      )
      await inspect({ name, ...window }, found)
      await window.page.context().close()
    }
  }
  if ('production'.startsWith(only)) await showProduction(browser, found)
  assert.equal(found.faults.length, 0, `${found.faults.length} faults`)
  console.log(
    `${found.count} states: nothing found by axe, no error, no report of the policy; see ${pictures}/`,
  )
}

/** The page of a state in a store that is as it was at the start, or empty. */
async function openState(
  browser: Browser,
  petstore: Petstore,
  { steps, isEmpty, fill }: ConsoleState,
  options: BrowserContextOptions,
): Promise<OpenPage> {
  await petstore.reset(isEmpty ? 'empty' : 'start')
  await fill?.(petstore)
  const { origin } = new URL(petstore.baseUrl)
  const [path] = steps.split(' > ')
  return openConsole(browser, { origin, path: `console/${path}` }, options)
}

async function reach(state: ConsoleState, shown: Shown): Promise<void> {
  const { page, petstore } = shown
  const { steps, isSignedOut, scopes, fault, isReloaded, lead } = state
  if (!isSignedOut) {
    await signIn(page, scopes === undefined ? petstore.key : await petstore.issueKey({ scopes }))
    await page.getByRole('heading', { name: 'Sign in' }).waitFor({ state: 'detached' })
    // Rows that are new wait while somebody points at the list.
    await page.mouse.move(0, 0)
  }
  if (fault) await petstore.faults.add(fault)
  if (isReloaded) await page.reload()
  await lead?.(shown)
  const [, onPage] = /^.*? > (.*)$/.exec(steps) ?? []
  if (onPage !== undefined) await takeAll(page, onPage)
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
  const sound = expectSound(page, name, join(pictures, `${name}.png`))
  await sound.catch(({ message }: Error) => add(found, message))
  for (const problem of problems) add(found, `${name}: ${problem}`)
}
