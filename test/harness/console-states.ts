import type { Browser, BrowserContextOptions } from 'playwright-core'
import type { Petstore } from '../../src/start-petstore.ts'
import { type ConsolePage, openConsole, signIn } from './console-page.ts'
import type { ConsoleState, Shown } from './console-state.ts'
import { frameStates } from './console-states-frame.ts'
import { orderStates } from './console-states-orders.ts'
import { petStates } from './console-states-pets.ts'
import { stockStates } from './console-states-stock.ts'

const states: readonly ConsoleState[] = [
  ...frameStates,
  ...petStates,
  ...orderStates,
  ...stockStates,
]

const sizes = {
  desk: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} as const

/** A size of the window and a colour scheme, with its name. */
export const appearances = Object.entries(sizes).flatMap(([size, options]) =>
  (['light', 'dark'] as const).map((colorScheme) => ({
    appearance: `${size}-${colorScheme}`,
    options: { ...options, colorScheme, reducedMotion: 'reduce' } satisfies BrowserContextOptions,
  })),
)

type Reached = ConsolePage & { name: string; failure?: string }

/**
 * Every state at every size in both colour schemes, one after the other, or those whose names contain `wanted`. The store
 * is as it was at the start in each. `failure`: why the state could not be reached.
 */
export async function* consoleStates(
  browser: Browser,
  petstore: Petstore,
  wanted: string,
): AsyncGenerator<Reached> {
  for (const { appearance, options } of appearances) {
    for (const state of states) {
      const name = `${state.name}-${appearance}`
      if (!name.includes(wanted) || (state.isWide && appearance.startsWith('phone'))) continue
      await petstore.reset(state.contents === 'empty' ? 'empty' : 'start')
      const { origin } = new URL(petstore.baseUrl)
      const path = `console/${state.path}`
      const window = await openConsole(browser, { origin, path }, options)
      const failure = await reach(state, { page: window.page, petstore })
      yield { name, ...window, ...(failure === undefined ? {} : { failure }) }
      await window.page.context().close()
    }
  }
}

async function reach(state: ConsoleState, shown: Shown): Promise<string | undefined> {
  const { page, petstore } = shown
  const { isSignedOut = false, scopes, lead } = state
  try {
    if (!isSignedOut) {
      const key = scopes === undefined ? petstore.key : await petstore.issueKey({ scopes })
      await signIn(page, key)
      await page.getByRole('heading', { name: 'Sign in' }).waitFor({ state: 'detached' })
      // Rows that are new wait while somebody points at the list.
      await page.mouse.move(0, 0)
    }
    await lead?.(shown)
    return undefined
  } catch (error) {
    return String(error)
  }
}
