/**
 * npm run test:lighthouse -- [PATH …] [--rounds N]
 * Lighthouse, with its desktop preset, scores every page that the service serves, those of the console signed in too, and
 * prints the table of docs/measured.md. The reports are in coverage/lighthouse/. Exits with 1 where a median is below 95.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPetstore } from '../../src/start-petstore.ts'
import { launchBrowser } from '../harness/browser.ts'
import { buildConsole } from '../harness/console-page.ts'
import { installPackages } from '../harness/packages.ts'
import { categories, connect, type Scores, scorePage, type Tab } from './lighthouse.ts'

const scoreMin = 95
const reports = 'coverage/lighthouse'

/** A page, and whether it is opened with a key. */
const pages = [
  { path: '/' },
  { path: '/guides' },
  { path: '/guides/settings' },
  { path: '/docs' },
  { path: '/docs#createPet' },
  { path: '/console/' },
  { path: '/console/overview', isSignedIn: true },
  { path: '/console/pets', isSignedIn: true },
  { path: '/console/orders', isSignedIn: true },
  { path: '/console/inventory', isSignedIn: true },
  { path: '/console/categories', isSignedIn: true },
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '3' } },
})
const rounds = Number(values.rounds)
const chosen = pages.filter(({ path }) => positionals.length === 0 || positionals.includes(path))
if (chosen.length === 0) throw new Error(`There is no page ${positionals.join(', ')}.`)

installPackages(import.meta.dirname)
await buildConsole()
mkdirSync(reports, { recursive: true })
await using petstore = await startPetstore({ seed: 2_000 })
const { origin } = new URL(petstore.baseUrl)
const port = await freePort()
const browser = await launchBrowser([`--remote-debugging-port=${port}`])
try {
  const { openTab } = await connect(port)
  const low: string[] = []
  console.log(heading())
  for (const { path, isSignedIn = false } of chosen) {
    const runs: Scores[] = []
    for (let round = 0; round < rounds; round++) {
      const tab = await openTab()
      if (isSignedIn) await signIn(tab)
      runs.push(await scorePage(tab, origin + path))
      await tab.close()
    }
    const last = runs.at(-1)
    writeFileSync(join(reports, `${nameOf(path)}.html`), last?.html ?? '')
    console.log(rowOf(path, runs))
    for (const fault of new Set(runs.flatMap(({ faults }) => faults))) console.error(`  ${fault}`)
    for (const category of categories) {
      const score = median(runs.map(({ scores }) => scores[category]))
      if (score < scoreMin) low.push(`${path}: ${score} in ${category}`)
    }
  }
  if (low.length > 0) throw new Error(`Below ${scoreMin}:\n${low.join('\n')}`)
} finally {
  await browser.close()
}

async function signIn(tab: Tab): Promise<void> {
  await tab.goto(`${origin}/console/`)
  await tab.locator('::-p-aria([name="API key"][role="textbox"])').fill(petstore.key)
  await tab.locator('::-p-aria([name="Sign in"][role="button"])').click()
  await tab.locator('::-p-aria([role="grid"])').wait()
}

function heading(): string {
  return [
    '| page | performance | accessibility | best practices | first paint, ms | largest paint, ms | blocked, ms |',
    '| --- | --- | --- | --- | --- | --- | --- |',
  ].join('\n')
}

/** Medians; of the performance the lowest too. */
function rowOf(path: string, runs: readonly Scores[]): string {
  const scores = categories.map((category) => median(runs.map(({ scores }) => scores[category])))
  const lowest = Math.min(...runs.map(({ scores }) => scores.performance))
  const timings = (
    ['firstContentfulPaint', 'largestContentfulPaint', 'totalBlockingTime'] as const
  ).map((name) => median(runs.map(({ timings }) => timings[name])))
  const [performance, ...others] = scores
  return `| ${[`\`${path}\``, `${performance} (${lowest})`, ...others, ...timings].join(' | ')} |`
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0
}

function nameOf(path: string): string {
  return path.replaceAll(/\W+/g, '-').replace(/^-|-$/g, '') || 'front-door'
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
