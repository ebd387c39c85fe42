/**
 * npm run test:searches -- [--pets 120000] [--engine sqlite|postgres] [--spread even|last]
 * How long the words of all names take to be indexed, and what a search by name, and by its words, costs by how many pets match
 * and where they are. Linux only. Exits with 1 where a search that all pets match, or at most 20, costs more than three pages.
 */
import { median } from '../../bench/statistics.ts'
import { storage } from '../../src/app/storage.ts'
import { settings } from '../../src/config/settings.ts'
import type { Query } from '../../src/db/db.ts'
import { openDbAsItIs } from '../../src/db/open.ts'
import { fillWithNames, prefixFor } from '../harness/fill.ts'
import { showProgress } from '../harness/progress.ts'
import { processorMs } from '../processes/processor-time.ts'
import {
  type Bench,
  costOf,
  figuresOf,
  measureRounds,
  onEngines,
  printTable,
  requireAtMost,
  type Subject,
  sendAtOnce,
  sendAtRate,
  serveFilled,
  sizeOnDisk,
} from './measure.ts'
import { readOptions } from './options.ts'

const rounds = 7
const load = { count: 100, connections: 1 }
const pagesMax = 3
const fewMax = 20

const { pets, ...options } = readOptions({ pets: 120_000, engine: '', spread: '' })
const counts = [1, 20, 100, 500, 1_500, 5_000, 10_000, 10_001, 20_000, 60_000, pets]
const spreads = (['even', 'last'] as const).filter((one) => one === (options.spread || one))
const page = { name: 'a page', path: '/pets', isBounded: false }
const searches = ['name', 'search'].flatMap((parameter) =>
  [0, ...counts].map((count) => ({
    name: `${parameter}, ${count.toLocaleString('en')}`,
    path: `/pets?${parameter}=${prefixFor(count, counts)}`,
    isBounded: count <= fewMax || count === pets,
  })),
)

const selectLastIndexed: Query<null, number> = {
  key: () => '',
  async run(sql, inputs) {
    const [row] = await sql.all<[bigint]>('select last_id from pet_words_progress')
    return inputs.map(() => Number(row?.[0] ?? 0n))
  },
}

await onEngines(options.engine, ['autovacuum=off'], async (bench) => {
  const { engine } = bench
  const sides: (Subject & { spread: string })[] = []
  for (const spread of spreads) {
    showProgress(`${engine}: filling a store, ${spread}`)
    const fill = (address: string) => fillWithNames(address, { pets, counts, spread })
    const side = { spread, ...(await serveFilled(bench, fill)) }
    sides.push(side)
    await untilIndexed(bench, side, spread)
  }
  const requests = [page, ...searches]
  const costs = await measureRounds(rounds, requests, sides, async (side, { path }) => {
    const send = () => sendAtOnce(side.service, load, () => ({ path }))
    return (await costOf(side, load.count, send)).microseconds
  })
  console.log(`\nMicroseconds of processor time, the median of ${rounds} rounds`)
  printTable([
    [`${engine}, pets that match`, ...sides.map(({ spread }) => spread)],
    ...requests.map((request) => [
      request.name,
      ...sides.map((side) => median(costs(request, side))),
    ]),
  ])
  for (const side of sides) {
    for (const search of searches.filter(({ isBounded }) => isBounded)) {
      const ratio = median(costs(search, side)) / median(costs(page, side))
      requireAtMost(`${engine}, ${side.spread}: ${search.name} costs, in pages`, ratio, pagesMax)
    }
  }
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
      `writes meanwhile: ${figuresOf(meanwhile)}; afterwards: ${figuresOf(alone)}`,
  )
}

/** How long ten writes a second take, in milliseconds, for five seconds. */
function writeSome({ service }: Subject): Promise<number[]> {
  return sendAtRate(service, { perSecond: 10, count: 50 }, () => {
    const body = JSON.stringify({ name: `Category ${performance.now()}` })
    return { method: 'POST', path: '/categories', body }
  })
}
