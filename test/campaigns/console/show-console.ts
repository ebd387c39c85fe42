import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { type Petstore, startPetstore } from '../../../src/start-petstore.ts'
import { openConsole, rowOf, signIn } from '../../harness/console-page.ts'
import { untilCounted } from '../../harness/console-state.ts'
import { settingsFor, startService } from '../../processes/process.ts'
import { type Open, showEach } from './show.ts'
import { type ConsoleState, states } from './states.ts'
import { takeAll } from './steps.ts'

/** Shows each state of the console, and what is different of a store in production. */
export async function showConsole(browser: Browser, only: string): Promise<void> {
  using directory = mkdtempDisposableSync(join(tmpdir(), 'petstore-console-'))
  const env = { ...settingsFor(directory.path), PETSTORE_CONSOLE: 'on' }
  await using petstore = await startPetstore({ seed: 300, orderHoldMs: 900_000 })
  await using service = await startService({ args: ['serve', '--json', '--seed', '300'], env })
  const openings = Object.entries(states).map(([title, given]) => {
    const state = typeof given === 'string' ? { steps: given } : given
    return [title, openingOf(browser, petstore, state)]
  })
  const all = { ...Object.fromEntries(openings), ...productionStates(browser, service) }
  await showEach('console', all, only)
}

/** Opens a state in a store that is as it was at the start, or empty. */
function openingOf(browser: Browser, petstore: Petstore, state: ConsoleState): Open {
  const { steps, isEmpty, fill, isSignedOut, scopes, fault, isReloaded, lead } = state
  const { origin } = new URL(petstore.baseUrl)
  const [path] = steps.split(' > ')
  return async (options) => {
    await petstore.reset(isEmpty ? 'empty' : 'start')
    await fill?.(petstore)
    const window = await openConsole(browser, { origin, path: `console/${path}` }, options)
    const { page } = window
    if (!isSignedOut) {
      await signIn(page, scopes === undefined ? petstore.key : await petstore.issueKey({ scopes }))
      await page.getByRole('heading', { name: 'Sign in' }).waitFor({ state: 'detached' })
      // Rows that are new wait while somebody points at the list.
      await page.mouse.move(0, 0)
    }
    if (fault) await petstore.faults.add(fault)
    if (isReloaded) await page.reload()
    await lead?.({ page, petstore })
    const [, onPage] = /^.*? > (.*)$/.exec(steps) ?? []
    if (onPage !== undefined) await takeAll(page, onPage)
    return window
  }
}

/** Sign-in, a list and the overview. */
function productionStates(
  browser: Browser,
  { baseUrl, key }: { baseUrl: string; key: string },
): Record<string, Open> {
  const { origin } = new URL(baseUrl)
  const signedIn =
    (path: string, wait: (page: Page) => Promise<unknown>): Open =>
    async (options) => {
      const window = await openConsole(browser, { origin, path }, options)
      await signIn(window.page, key)
      await wait(window.page)
      return window
    }
  return {
    'production-sign-in': (options) => openConsole(browser, { origin }, options),
    'production-pets': signedIn('console/pets', (page) => rowOf(page, 1).waitFor()),
    'production-overview': signedIn('console/overview', untilCounted),
  }
}
