/**
 * npm run test:sizes -- [--small 10000] [--large 10000000] [--engine sqlite|postgres] [--rounds 9]
 * Processor time of each kind of request, and the time to start, with a large catalogue, as ratios to those with a small
 * one, interleaved over rounds; and the sizes on disk. Linux only. Exits with 1 where a ratio or the memory is beyond its limit.
 */
import { median } from '../../bench/statistics.ts'
import { encodeCursor } from '../../src/http/request/cursor.ts'
import { fillPets } from '../harness/fill.ts'
import { SeededRandom } from '../harness/seeded-random.ts'
import { startService } from '../processes/process.ts'
import { memoryMiB } from '../processes/processor-time.ts'
import {
  type Call,
  costOf,
  createPet,
  measureRounds,
  onEngines,
  printTable,
  requireAtMost,
  type Subject,
  sendAtOnce,
  serveFilled,
  sizeOnDisk,
} from './measure.ts'
import { readOptions } from './options.ts'

const ratioMax = 1.3
const memoryGrowthMaxMiB = 64
const load = { count: 3_000, connections: 16 }
/** A quarter of a small machine's memory, as PostgreSQL's documentation recommends; its default is for none. */
const serverSettings = ['shared_buffers=2GB', 'max_wal_size=8GB']
/** A page that starts further on might not be full. */
const lastPages = 5_000

const options = readOptions({ small: 10_000, large: 10_000_000, engine: '', rounds: 9 })
const { rounds } = options
const random = new SeededRandom(1)

const workloads: Record<string, (size: number) => Call> = {
  page: (size) => ({ path: `/pets?cursor=${cursorAt(size, [])}` }),
  'filtered page': (size) => ({
    path: `/pets?status=available&cursor=${cursorAt(size, [['status', 'available']])}`,
  }),
  'one pet': (size) => ({ path: `/pets/${idUpTo(size)}` }),
  create: () => createPet,
}

await onEngines(options.engine, serverSettings, async (bench) => {
  const start = async (size: number) => {
    console.log(`${bench.engine}: filling a store with ${size.toLocaleString('en')} pets`)
    // Words would be indexed beside what is measured: `npm run test:searches` measures that.
    const fill = (address: string) => fillPets(address, size, { isIndexed: true })
    return { size, ...(await serveFilled(bench, fill)) }
  }
  const small = await start(options.small)
  const large = await start(options.large)
  const names = Object.keys(workloads)
  const costs = await measureRounds(rounds, names, [small, large], async (store, name) => {
    const next = workloads[name] as (size: number) => Call
    const send = () => sendAtOnce(store.service, load, () => next(store.size))
    return (await costOf(store, load.count, send)).microseconds
  })
  const rows = names.map((name) => {
    const before = costs(name, small)
    const ratios = costs(name, large).map((cost, round) => cost / (before[round] ?? Number.NaN))
    requireAtMost(`${bench.engine}: ${name} costs, times as much`, median(ratios), ratioMax)
    return [name, median(ratios), Math.min(...ratios), Math.max(...ratios)]
  })
  const [less = 0, more = 0] = [small, large].map(({ service }) => memoryMiB(service.pid))
  for (const { service } of [small, large]) await service.stop()
  const starts = await measureRounds(rounds, ['start'], [small, large], timeToStart)
  const startMs = [small, large].map((store) => median(starts('start', store)).toFixed(0))
  const disk = await Promise.all([small, large].map((store) => sizeOnDisk(bench, store)))
  const grown = `${bench.engine}: the memory of the service grows with the catalogue, MiB`
  requireAtMost(grown, more - less, memoryGrowthMaxMiB)
  const title = `${bench.engine}, ${small.size} → ${large.size} pets`
  const others = [
    ['memory of the service, MiB', `${less.toFixed(0)} → ${more.toFixed(0)}`, '', ''],
    ['until a start is ready, ms', startMs.join(' → '), '', ''],
    ['on disk, MiB', disk.map((size) => size.toFixed(1)).join(' → '), '', ''],
  ]
  printTable([[title, 'median', 'lowest', 'highest'], ...rows, ...others])
})

async function timeToStart({ env }: Subject): Promise<number> {
  const startMs = performance.now()
  const service = await startService({ env })
  const tookMs = performance.now() - startMs
  await service.stop()
  return tookMs
}

function idUpTo(size: number): number {
  return Math.floor(random.between(1, size))
}

/** A cursor anywhere in a list with these filters, as the service itself would write it. */
function cursorAt(size: number, filters: [string, string][]): string {
  return encodeCursor(BigInt(idUpTo(size - lastPages)), JSON.stringify(['listPets', 'id', filters]))
}
