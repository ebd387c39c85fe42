import { after } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchBrowser } from './browser.ts'

let launched: Promise<Browser> | undefined
after(async () => (await launched)?.close())

/** The browser of all tests of this process, which is closed at their end. */
export function sharedBrowser(): Promise<Browser> {
  launched ??= launchBrowser()
  return launched
}
