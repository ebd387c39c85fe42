/**
 * npm run test:searches -- [--pets 120000] [--engine sqlite|postgres] [--against DIRECTORY]
 * What a search by name costs by how many pets match and where they are, and how long many who ask the same wait.
 * `--against` compares with the service of another working copy, interleaved. Linux only. Exits with 1 where a search
 * that all pets match costs more than three pages.
 */
import { Agent } from 'node:http'
import { parseArgs } from 'node:util'
import { median } from '../../bench/statistics.ts'
import { fillWithNames, prefixFor, type Spread } from '../harness/fill-names.ts'
import { showProgress } from '../harness/progress.ts'
import { repositoryRoot } from '../processes/process.ts'
import {
  costOf,
  fail,
  measureRounds,
  onEngines,
  type Subject,
  send,
  serveFilled,
  tableOf,
} from './measure.ts'

const rounds = 7
const load = { requests: 100, connections: 1 }
const sharing = 64
const sharedMs = 3_000
const pagesMax = 3

const { values } = parseArgs({
  options: {
    pets: { type: 'string', default: '120000' },
    engine: { type: 'string' },
    against: { type: 'string' },
  },
})
const pets = Number(values.pets)
const counts = [1, 20, 100, 500, 1_500, 5_000, 10_000, 10_001, 20_000, 60_000, pets]
const spreads: readonly Spread[] = ['even', 'last']
const roots = values.against === undefined ? [repositoryRoot] : [values.against, repositoryRoot]
const searchFor = (count: number) => `/pets?name=${prefixFor(count, counts)}`

await onEngines(values.engine, ['-c', 'autovacuum=off'], async (bench) => {
  const { engine } = bench
  const sides: (Subject & { head: string; isNow: boolean })[] = []
  for (const spread of spreads) {
    for (const root of roots) {
      showProgress(`${engine}: filling a store, ${spread}`)
      const fill = (address: string) => fillWithNames(address, { pets, counts, spread })
      const isNow = root === repositoryRoot
      const head = `${spread}${isNow ? '' : ', before'}`
      sides.push({ head, isNow, ...(await serveFilled(bench, fill, { root })) })
    }
  }
  const paths = ['/pets', ...[0, ...counts].map(searchFor)]
  const costs = await measureRounds(rounds, paths, sides, (side, path) =>
    costOf(side, load, () => ({ path })),
  )
  const columns = sides.map((side) => paths.map((path) => median(costs(path, side))))
  const names = ['a page', ...[0, ...counts].map((count) => count.toLocaleString('en'))]
  const row = (name: string, of: (column: number[]) => number) => [
    name,
    ...columns.map((column) => of(column).toFixed(0)),
  ]
  console.log(`\nMicroseconds of processor time, the median of ${rounds} rounds\n`)
  console.log(
    tableOf([
      [`${engine}, pets that match`, ...sides.map(({ head }) => head)],
      ...names.map((name, index) => row(name, (column) => column[index] ?? Number.NaN)),
      row('the worst of them', (column) => Math.max(...column)),
    ]),
  )
  for (const [index, { isNow }] of sides.entries()) {
    const [page = 0] = columns[index] ?? []
    const all = columns[index]?.at(-1) ?? Number.NaN
    if (isNow && !(all <= pagesMax * page)) {
      fail(`where all match a search costs ${(all / page).toFixed(1)} pages`)
    }
  }
  const asked = [[`${engine}, ${sharing} clients ask the same`, 'requests/s', 'p50, ms', 'not 200']]
  for (const side of sides) {
    for (const count of [pets, 10_000]) {
      const figures = await askTogether(side, searchFor(count))
      asked.push([`${side.head}, ${count} match`, ...figures])
    }
  }
  console.log(`\n${tableOf(asked)}`)
})

/** Requests a second, the median in milliseconds, and how many failed. */
async function askTogether({ service }: Subject, path: string): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: sharing })
  const startMs = performance.now()
  const tookMs: number[] = []
  let failed = 0
  await Promise.all(
    Array.from({ length: sharing }, async () => {
      while (performance.now() < startMs + sharedMs) {
        const sentMs = performance.now()
        await send(service, agent, { path }).catch(() => (failed += 1))
        tookMs.push(performance.now() - sentMs)
      }
    }),
  )
  const rate = (tookMs.length * 1_000) / (performance.now() - startMs)
  agent.destroy()
  return [rate.toFixed(0), median(tookMs).toFixed(1), String(failed)]
}
