import { parseArgs } from 'node:util'
import { launchBrowser } from '../harness/browser.ts'
import { buildConsole } from '../harness/console-page.ts'
import { measureFind } from './console/measure-find.ts'
import { measureLive } from './console/measure-live.ts'
import { scrollPets } from './console/scroll-pets.ts'
import { showStates } from './console/show-states.ts'
import { useForMinutes } from './console/use-for-minutes.ts'

// `npm run test:console -- [PART …] [--minutes N] [--pets N] [--only WORD]`. The parts, all of them when none is named:
// states: the console in every state, size and colour scheme, with axe and a picture of each in coverage/console/.
// live: how soon a change by others is shown.
// find: how soon found pets are shown.
// scroll: a list of ten million pets, scrolled for minutes.
// use: all that people do, for minutes, while the memory is measured.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '10' },
    pets: { type: 'string', default: '10000000' },
    only: { type: 'string', default: '' },
  },
})
const minutes = Number(values.minutes)
const parts = {
  states: () => showStates(browser, values.only),
  live: () => measureLive(browser),
  find: () => measureFind(browser),
  scroll: () => scrollPets(browser, { minutes, petCount: Number(values.pets) }),
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
