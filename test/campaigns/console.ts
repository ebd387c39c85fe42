/**
 * npm run test:console -- [PART …] [--minutes N] [--only WORD]
 * The console and the other pages in a browser. The parts, all of them when none is named:
 * pages: every other page of the service, at a desk and on a phone, in both colour schemes, with axe and a picture in coverage/pages/.
 * states: the console in every state, in the same way, in coverage/console/.
 * live: how soon a change by others is shown.
 * find: how soon found pets are shown.
 * use: all that people do, for minutes, while the memory is measured.
 */
import { launchBrowser } from '../harness/browser.ts'
import { buildConsole } from '../harness/console-page.ts'
import { measureFind, measureLive } from './console/measure-shown.ts'
import { showConsole } from './console/show-console.ts'
import { showPages } from './console/show-pages.ts'
import { useForMinutes } from './console/use-for-minutes.ts'
import { readOptions } from './options.ts'

const defaults = { minutes: 10, only: '' }
const { minutes, only, positionals } = readOptions(defaults, { allowPositionals: true })
const parts = {
  pages: () => showPages(browser, only),
  states: () => showConsole(browser, only),
  live: () => measureLive(browser),
  find: () => measureFind(browser),
  use: () => useForMinutes(browser, minutes),
}
const unknown = positionals.filter((name) => !(name in parts))
if (unknown.length > 0)
  throw new Error(`There is no part ${unknown}: name some of ${Object.keys(parts)}.`)

await buildConsole()
const browser = await launchBrowser()
try {
  for (const [name, run] of Object.entries(parts)) {
    if (positionals.length === 0 || positionals.includes(name)) await run()
  }
} finally {
  await browser.close()
}
