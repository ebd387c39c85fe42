/**
 * npm run test:streams -- [--engine sqlite|postgres]
 * 1,000 streams at 20 events a second, and 50 at 1,000: what reaches them how long after its request, what a stream takes of
 * the memory, and the p99 of pages with and without them, interleaved over rounds. Exits with 1 where that p99 more than
 * doubles, or where an event does not reach each stream.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { shown } from '../../bench/report/tables.ts'
import { median, quantile } from '../../bench/statistics.ts'
import { fillPets } from '../harness/fill.ts'
import { memoryMiB } from '../processes/processor-time.ts'
import {
  compareBeside,
  createPet,
  fail,
  onEngines,
  printTable,
  type Subject,
  sendAtRate,
  serveFilled,
  startBeside,
} from './measure.ts'
import { readOptions } from './options.ts'

const compared = { rounds: 3, ratioMax: 2 }
const seconds = 5
const pages = { perSecond: 50, count: seconds * 50 }
const loads = [
  { streams: 1_000, eventsPerSecond: 20 },
  { streams: 50, eventsPerSecond: 1_000 },
]

const { engine } = readOptions({ engine: '' })

await onEngines(engine, [], async (bench) => {
  const rows: (string | number)[][] = []
  for (const { streams, eventsPerSecond } of loads) {
    const store = await serveFilled(bench, (address) => fillPets(address, 10_000), {
      env: { PETSTORE_CONNECTIONS_MAX: '3000' },
    })
    const { pid, baseUrl, key } = store.service
    const created = seconds * eventsPerSecond
    const work = () => p99Beside(store, { perSecond: eventsPerSecond, count: created })
    await work()
    const arrived: { events: number; p50: number; p99: number }[] = []
    let memory = 0
    const ofPages = await compareBeside(`${bench.engine}: the p99 of pages`, compared, {
      async alone() {
        // The streams of the round before have just been cut.
        await sleep(500)
        return work()
      },
      async beside() {
        const before = memoryMiB(pid)
        using readers = startBeside('read-streams.ts', [new URL(baseUrl).port, key, streams])
        await readers.next()
        memory = memoryMiB(pid) - before
        const p99 = await work()
        await sleep(2_000)
        const found = await readers.ask()
        arrived.push(found)
        if (found.events !== created * streams)
          fail(`${found.events} events arrived of ${created} on ${streams} streams`)
        return p99
      },
    })
    const of = (name: 'p50' | 'p99') => shown(median(arrived.map((one) => one[name])))
    rows.push([
      `${streams} streams, ${eventsPerSecond} events a second`,
      `${of('p50')}, ${of('p99')}`,
      `${shown(ofPages.alone)}, ${shown(ofPages.beside)} (${shown(ofPages.ratio)})`,
      (memory * 1_024) / streams,
    ])
  }
  const head = [bench.engine, 'an event arrives after, p50 and p99, ms']
  head.push('p99 of pages without and with streams, ms', 'memory of a stream, KiB')
  printTable([head, ...rows])
})

/** The p99 of pages while pets are created at this rate. */
async function p99Beside(
  { service }: Subject,
  creates: { perSecond: number; count: number },
): Promise<number> {
  const [tookMs] = await Promise.all([
    sendAtRate(service, pages, (index) => ({
      path: `/pets?limit=20&after=${(index * 37) % 9_000}`,
    })),
    sendAtRate(service, { ...creates, connections: 32 }, () => createPet),
  ])
  return quantile(tookMs, 0.99)
}
