/**
 * npm run test:webhooks -- [--engine sqlite|postgres]
 * Ten webhooks beside 40 dead ones, of which half refuse connections and half accept and hang: how soon events reach the ten.
 * Then the deliveries a second to one receiver, beside one that refuses the same 20,000 events, and the memory meanwhile. Exits
 * with 1 where the p99 is above 2 s, deliveries are slower than 1,000 a second, memory grows, or an event does not arrive.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { shown } from '../../bench/report/tables.ts'
import { showProgress } from '../harness/progress.ts'
import { freePort } from '../processes/command.ts'
import { memoryMiB, processorMs } from '../processes/processor-time.ts'
import {
  type Bench,
  createPet,
  fail,
  onEngines,
  post,
  printTable,
  requireAtMost,
  type Subject,
  sendAtOnce,
  sendAtRate,
  serveFilled,
  startBeside,
} from './measure.ts'
import { readOptions } from './options.ts'

const goodCount = 10
const deadCount = 20
const eventsPerSecond = 20
const seconds = 60
const p99MaxMs = 2_000
const drained = 20_000
const drains = 6
const drainMin = 1_000
const growthMaxMiB = 32
/** Garbage may fill no more, so that memory grows only by what is kept. */
const heapMaxMiB = 128

const { engine } = readOptions({ engine: '' })

await onEngines(engine, [], async (bench) => {
  const beside = await besideDead(bench)
  const drain = await drainLog(bench)
  const head = ['engine', 'p50 and p99 of ten webhooks beside 40 dead ones, ms']
  head.push('deliveries a second to one receiver', 'processor time of one, µs', 'memory, MiB')
  printTable([head, [bench.engine, ...beside, ...drain]])
})

async function besideDead(bench: Bench): Promise<string[]> {
  const store = await serve(bench)
  using receiver = startReceiver(goodCount, deadCount)
  const { good, hanging }: Ports = await receiver.next()
  const refusing = await Promise.all(Array.from({ length: deadCount }, freePort))
  for (const port of [...refusing, ...hanging, ...good]) await createWebhook(store, port)
  showProgress(`${bench.engine}: ${seconds} s of events beside dead webhooks`)
  const created = seconds * eventsPerSecond
  await sendAtRate(store.service, { perSecond: eventsPerSecond, count: created }, () => createPet)
  await sleep(5_000)
  const { distinct, p50, p99 }: Report = await receiver.ask()
  if (distinct !== created * goodCount)
    fail(`${bench.engine}: ${distinct} of ${created * goodCount} deliveries arrived`)
  requireAtMost(`${bench.engine}: the p99 beside dead webhooks, ms`, p99, p99MaxMs)
  await store.service.stop()
  return [`${p50}, ${p99}`]
}

/** Sends the same events several times; the memory is compared between the second and the last time. */
async function drainLog(bench: Bench): Promise<string[]> {
  const store = await serve(bench, { NODE_OPTIONS: `--max-old-space-size=${heapMaxMiB}` })
  using receiver = startReceiver(1, 0)
  const { good }: Ports = await receiver.next()
  showProgress(`${bench.engine}: creating ${drained} pets`)
  await sendAtOnce(store.service, { count: drained, connections: 32 }, () => createPet)
  const dead = await createWebhook(store, await freePort())
  const id = await createWebhook(store, good[0] as number)
  await post(store.service, `/webhooks/${dead}/replay`, { after: 0 })
  const rates: number[] = []
  const memory: number[] = []
  const costs: number[] = []
  for (let round = 0; round < drains; round++) {
    showProgress(`${bench.engine}: sending ${drained} events, ${round + 1} of ${drains}`)
    const before = processorMs(store.service.pid)
    await post(store.service, `/webhooks/${id}/replay`, { after: 0 })
    let arrived = 0
    let took = 0
    let peak = 0
    for (let waited = 0; arrived < drained && waited < 120; waited++) {
      await sleep(1_000)
      const report: Report = await receiver.ask()
      arrived += report.distinct
      took += report.distinct > 0 ? 1 : 0
      peak = Math.max(peak, memoryMiB(store.service.pid))
    }
    if (arrived < drained) fail(`${bench.engine}: ${arrived} of ${drained} events arrived`)
    rates.push(drained / took)
    memory.push(peak)
    costs.push(((processorMs(store.service.pid) - before) * 1_000) / drained)
  }
  const rate = Math.max(...rates)
  if (!(rate >= drainMin)) fail(`${bench.engine}: ${rate.toFixed(0)} deliveries a second`)
  const grownMiB = (memory.at(-1) as number) - (memory[1] as number)
  requireAtMost(`${bench.engine}: the memory grows, MiB`, grownMiB, growthMaxMiB)
  return [rates.map(shown).join(', '), shown(Math.min(...costs)), memory.map(shown).join(', ')]
}

function serve(bench: Bench, more: Record<string, string> = {}): Promise<Subject> {
  const env = { PETSTORE_WEBHOOK_HOSTS: '127.0.0.0/8', ...more }
  return serveFilled(bench, async () => undefined, { env })
}

function startReceiver(good: number, hanging: number) {
  return startBeside('receive-webhooks.ts', [good, hanging], [])
}

async function createWebhook(store: Subject, port: number | string): Promise<number> {
  const url = `http://127.0.0.1:${port}/hook`
  return (await post(store.service, '/webhooks', { url, types: ['pet.created'] })).id
}

type Ports = { good: number[]; hanging: number[] }
type Report = { distinct: number; p50: number; p99: number }
