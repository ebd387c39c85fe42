/**
 * npm run test:searches -- [--pets 120000] [--engine sqlite|postgres] [--against DIRECTORY]
 * What a search by name, and by its words, costs by how many pets match and where they are, and how long many who ask the
 * same wait.
 * `--against` compares with the service of another working copy, interleaved. Linux only. Exits with 1 where a search
 * that all pets match, or at most 20, costs more than three pages.
 */
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { median } from '../../bench/statistics.ts'
import { storage } from '../../src/app/storage.ts'
import { settings } from '../../src/config/settings.ts'
import type { Query } from '../../src/db/db.ts'
import { openDbAsItIs } from '../../src/db/open.ts'
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
const fewMax = 20

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
/** Another working copy may not have the second. */
const parameters = values.against === undefined ? ['name', 'search'] : ['name']
const searchFor = (parameter: string, count: number) =>
  `/pets?${parameter}=${prefixFor(count, counts)}`

const selectLastIndexed: Query<null, number> = {
  key: () => '',
  async run(sql, inputs) {
    const [row] = await sql.all<[bigint]>('select last_id from pet_words_progress')
    return inputs.map(() => Number(row?.[0] ?? 0n))
  },
}

await onEngines(values.engine, ['-c', 'autovacuum=off'], async (bench) => {
  const { engine } = bench
  const sides: (Subject & { head: string; isNow: boolean })[] = []
  for (const spread of spreads) {
    for (const root of roots) {
      showProgress(`${engine}: filling a store, ${spread}`)
      const fill = (address: string) => fillWithNames(address, { pets, counts, spread })
      const isNow = root === repositoryRoot
      const head = `${spread}${isNow ? '' : ', before'}`
      const side = await serveFilled(bench, fill, { root })
      sides.push({ head, isNow, ...side })
      showProgress(`${engine}: indexing words, ${spread}`)
      if (isNow) await untilIndexed(side)
    }
  }
  const searches = parameters.flatMap((parameter) =>
    [0, ...counts].map((count) => ({ parameter, count, path: searchFor(parameter, count) })),
  )
  const paths = ['/pets', ...searches.map(({ path }) => path)]
  const costs = await measureRounds(rounds, paths, sides, (side, path) =>
    costOf(side, load, () => ({ path })),
  )
  const columns = sides.map((side) => paths.map((path) => median(costs(path, side))))
  const names = [
    'a page',
    ...searches.map(({ parameter, count }) => `${parameter}, ${count.toLocaleString('en')}`),
  ]
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
    const [page = 0, ...ofSearches] = columns[index] ?? []
    for (const [place, { parameter, count }] of searches.entries()) {
      if (!isNow || (count > fewMax && count < pets)) continue
      const ratio = (ofSearches[place] ?? Number.NaN) / page
      if (!(ratio <= pagesMax))
        fail(`where ${count} match a search by ${parameter} costs ${ratio.toFixed(1)} pages`)
    }
  }
  const asked = [[`${engine}, ${sharing} clients ask the same`, 'requests/s', 'p50, ms', 'not 200']]
  for (const side of sides) {
    for (const parameter of parameters) {
      for (const count of [pets, 10_000]) {
        const figures = await askTogether(side, searchFor(parameter, count))
        asked.push([`${side.head}, ${parameter}, ${count} match`, ...figures])
      }
    }
  }
  console.log(`\n${tableOf(asked)}`)
})

/** Waits until the service has indexed the words of all names. */
async function untilIndexed({ env }: Subject): Promise<void> {
  const db = await openDbAsItIs(settings.database.read(env.PETSTORE_DATABASE as string), {
    storage,
  })
  while ((await db.read(selectLastIndexed, null)) < pets) await sleep(1_000)
  await db.close()
}

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
