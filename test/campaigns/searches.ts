/**
 * npm run test:searches -- [--pets 120000] [--engine sqlite|postgres] [--spread even|last] [--against DIRECTORY]
 * How long the words of all names take to be indexed; what a search by name, and by its words, costs by how many pets match
 * and where they are; and how long many who ask the same wait.
 * `--against` compares with the service of another working copy, interleaved. Linux only. Exits with 1 where a search
 * that all pets match, or at most 20, costs more than three pages, or where one fails.
 */
import { Agent } from 'node:http'
import { parseArgs } from 'node:util'
import { median, quantile } from '../../bench/statistics.ts'
import { storage } from '../../src/app/storage.ts'
import { settings } from '../../src/config/settings.ts'
import type { Query } from '../../src/db/db.ts'
import { openDbAsItIs } from '../../src/db/open.ts'
import { fillWithNames, prefixFor } from '../harness/fill.ts'
import { showProgress } from '../harness/progress.ts'
import { repositoryRoot } from '../processes/process.ts'
import { processorMs } from '../processes/processor-time.ts'
import {
  type Bench,
  costOf,
  fail,
  measureRounds,
  onEngines,
  printTable,
  type Subject,
  send,
  sendAtRate,
  serveFilled,
  sizeOnDisk,
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
    spread: { type: 'string' },
    against: { type: 'string' },
  },
})
const pets = Number(values.pets)
const counts = [1, 20, 100, 500, 1_500, 5_000, 10_000, 10_001, 20_000, 60_000, pets]
const spreads = (['even', 'last'] as const).filter(
  (one) => values.spread === undefined || one === values.spread,
)
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
      if (isNow) await untilIndexed(bench, side, spread)
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
  console.log(`\nMicroseconds of processor time, the median of ${rounds} rounds`)
  printTable([
    [`${engine}, pets that match`, ...sides.map(({ head }) => head)],
    ...names.map((name, index) => row(name, (column) => column[index] ?? Number.NaN)),
    row('the worst of them', (column) => Math.max(...column)),
  ])
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
  printTable(asked)
})

/** Waits until the service has indexed the words of all names; prints what that took, and how long writes waited beside it. */
async function untilIndexed(bench: Bench, side: Subject, spread: string): Promise<void> {
  const { env, pids } = side
  const startMs = performance.now()
  const beforeMs = processorMs(...pids)
  const beforeMiB = await sizeOnDisk(bench, side)
  const meanwhile: number[] = []
  const db = await openDbAsItIs(settings.database.read(env.PETSTORE_DATABASE as string), {
    storage,
  })
  for (let done = 0; done < pets; done = await db.read(selectLastIndexed, null)) {
    showProgress(`${bench.engine}: ${spread}, ${done.toLocaleString('en')} indexed`)
    meanwhile.push(...(await writeSome(side)))
  }
  await db.close()
  const figures = [
    (performance.now() - startMs) / 1_000,
    (processorMs(...pids) - beforeMs) / 1_000,
    (await sizeOnDisk(bench, side)) - beforeMiB,
  ].map((one) => one.toFixed(0))
  const alone = await writeSome(side)
  console.log(
    `\nindexed ${pets.toLocaleString('en')} names in ${figures[0]} s, ${figures[1]} s of processor time, ${figures[2]} MiB; ` +
      `a write meanwhile took ${spreadOf(meanwhile)} ms, afterwards ${spreadOf(alone)} ms`,
  )
}

/** How long ten writes a second take, in milliseconds, for five seconds. */
function writeSome({ service }: Subject): Promise<number[]> {
  return sendAtRate(service, { perSecond: 10, count: 50 }, () => {
    const body = JSON.stringify({ name: `Category ${performance.now()}` })
    return { method: 'POST', path: '/categories', body }
  })
}

function spreadOf(tookMs: readonly number[]): string {
  const [middle, most, last] = [0.5, 0.99, 1].map((share) => quantile(tookMs, share).toFixed(0))
  return `${middle} (p99 ${most}, at most ${last})`
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
