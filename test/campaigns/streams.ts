/**
 * npm run test:streams -- [--engine sqlite|postgres]
 * 1,000 streams at 20 events a second, and 50 at 1,000: what reaches them how long after its request, what a stream takes of
 * the memory, and the p99 of pages with and without them, interleaved over rounds. Exits with 1 where that p99 more than
 * doubles, or where an event does not reach each stream.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { median } from '../../bench/statistics.ts'
import { fillPets } from '../harness/fill.ts'
import { memoryMiB } from '../processes/processor-time.ts'
import { fail, onEngines, type Subject, send, serveFilled, tableOf } from './measure.ts'

const ratioMax = 2
const rounds = 3
const seconds = 5
const pagesPerSecond = 50
const loads = [
  { streams: 1_000, eventsPerSecond: 20 },
  { streams: 50, eventsPerSecond: 1_000 },
]

const { values } = parseArgs({ options: { engine: { type: 'string' } } })

await onEngines(values.engine, [], async (bench) => {
  const rows: string[][] = []
  for (const { streams, eventsPerSecond } of loads) {
    const store = await serveFilled(bench, (address) => fillPets(address, 10_000), {
      env: { PETSTORE_CONNECTIONS_MAX: '3000' },
    })
    const work = () => Promise.all([pagesOf(store), createsOf(store, eventsPerSecond)])
    await work()
    const alone: number[] = []
    const beside: number[] = []
    const arrived: Arrived[] = []
    let memory = 0
    for (let round = 0; round < rounds; round++) {
      alone.push((await work())[0])
      const before = memoryMiB(store.service.pid)
      const readers = await openStreams(store, streams)
      memory = memoryMiB(store.service.pid) - before
      const [p99, created] = await work()
      beside.push(p99)
      await sleep(2_000)
      const found = await readers.arrived()
      arrived.push(found)
      if (found.events !== created * streams)
        fail(`${found.events} events arrived of ${created} on ${streams} streams`)
      readers.close()
      await sleep(500)
    }
    const ratio = median(beside.map((p99, round) => p99 / (alone[round] ?? Number.NaN)))
    if (!(ratio <= ratioMax))
      fail(`${bench.engine}: the p99 of pages grows ${ratio.toFixed(2)} times`)
    const of = (name: 'p50' | 'p99') => median(arrived.map((one) => one[name])).toFixed(0)
    rows.push([
      `${streams} streams, ${eventsPerSecond} events a second`,
      `${of('p50')}, ${of('p99')}`,
      `${median(alone).toFixed(1)}, ${median(beside).toFixed(1)} (${ratio.toFixed(2)})`,
      ((memory * 1_024) / streams).toFixed(0),
    ])
  }
  console.log(
    `\n${tableOf([
      [
        bench.engine,
        'an event arrives after, p50 and p99, ms',
        'p99 of pages without and with streams, ms',
        'memory of a stream, KiB',
      ],
      ...rows,
    ])}\n`,
  )
})

/** Each page is asked for at its time, whatever became of those before; their p99. */
async function pagesOf({ service }: Subject): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const startMs = performance.now()
  const latencies = await Promise.all(
    Array.from({ length: seconds * pagesPerSecond }, async (_, index) => {
      const dueMs = startMs + (index * 1_000) / pagesPerSecond
      await sleep(Math.max(0, dueMs - performance.now()))
      await send(service, agent, { path: `/pets?limit=20&after=${(index * 37) % 9_000}` })
      return performance.now() - dueMs
    }),
  )
  agent.destroy()
  return latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length * 0.99)] ?? Number.NaN
}

/** Creates pets at this rate; returns how many. */
async function createsOf({ service }: Subject, perSecond: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const body = '{"name":"Rex","categoryId":7,"status":"available"}'
  const startMs = performance.now()
  const created: Promise<void>[] = []
  while (created.length < seconds * perSecond) {
    const due = ((performance.now() - startMs) * perSecond) / 1_000
    while (created.length < Math.min(due, seconds * perSecond))
      created.push(send(service, agent, { method: 'POST', path: '/pets', body }))
    await sleep(5)
  }
  await Promise.all(created)
  agent.destroy()
  return created.length
}

type Arrived = { events: number; p50: number; p99: number }

/** Streams that are read by a process of their own. */
async function openStreams({ service }: Subject, count: number) {
  const { port } = new URL(service.baseUrl)
  const file = join(import.meta.dirname, 'read-streams.ts')
  const child = spawn(process.execPath, [file, port, service.key ?? '', String(count)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  // It would run on other machines: it leaves the processors to the service and to the client that is measured.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  const lines = createInterface({ input: child.stdout })
  const next = async () => String((await once(lines, 'line'))[0])
  await next()
  return {
    async arrived(): Promise<Arrived> {
      child.stdin.write('\n')
      return JSON.parse(await next())
    },
    close: () => child.kill('SIGKILL'),
  }
}
