/**
 * npm run test:webhooks -- [--engine sqlite|postgres]
 * Ten webhooks beside 40 dead ones, of which half refuse connections and half accept and hang: how soon events reach the ten.
 * Then the deliveries a second to one receiver, beside one that refuses the same 20,000 events, and the memory meanwhile. Exits
 * with 1 where the p99 is above 2 s, deliveries are slower than 2,000 a second, memory grows, or an event does not arrive.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { showProgress } from '../harness/progress.ts'
import { memoryMiB, processorMs } from '../processes/processor-time.ts'
import { type Bench, fail, onEngines, type Subject, send, serveFilled, tableOf } from './measure.ts'

const goodCount = 10
const deadCount = 20
const eventsPerSecond = 20
const seconds = 60
const p99MaxMs = 2_000
const drained = 20_000
const drains = 6
const drainMin = 2_000
const growthMaxMiB = 32
/** Garbage may fill no more, so that memory grows only by what is kept. */
const heapMaxMiB = 128

const { values } = parseArgs({ options: { engine: { type: 'string' } } })

await onEngines(values.engine, [], async (bench) => {
  const beside = await besideDead(bench)
  const drain = await drainLog(bench)
  const { engine } = bench
  const head = ['engine', 'p50 and p99 of ten webhooks beside 40 dead ones, ms']
  head.push('deliveries a second to one receiver', 'processor time of one, µs', 'memory, MiB')
  console.log(`\n${tableOf([head, [engine, ...beside, ...drain]])}\n`)
})

async function besideDead(bench: Bench): Promise<string[]> {
  const store = await serve(bench)
  await using receiver = await startReceiver(goodCount, deadCount)
  const refusing = await Promise.all(Array.from({ length: deadCount }, closedPort))
  for (const port of [...refusing, ...receiver.hanging, ...receiver.good])
    await createWebhook(store, port)
  showProgress(`${bench.engine}: ${seconds} s of events beside dead webhooks`)
  const created = await createPets(store, {
    perSecond: eventsPerSecond,
    count: seconds * eventsPerSecond,
  })
  await sleep(5_000)
  const { distinct, p50, p99 } = await receiver.report()
  if (distinct !== created * goodCount)
    fail(`${bench.engine}: ${distinct} of ${created * goodCount} deliveries arrived`)
  if (!(p99 <= p99MaxMs)) fail(`${bench.engine}: the p99 beside dead webhooks is ${p99} ms`)
  await store.service.stop()
  return [`${p50}, ${p99}`]
}

/** Sends the same events several times; the memory is compared between the second and the last time. */
async function drainLog(bench: Bench): Promise<string[]> {
  const store = await serve(bench, { NODE_OPTIONS: `--max-old-space-size=${heapMaxMiB}` })
  await using receiver = await startReceiver(1, 0)
  showProgress(`${bench.engine}: creating ${drained} pets`)
  await createPets(store, { perSecond: Number.POSITIVE_INFINITY, count: drained })
  const [port] = receiver.good as [number]
  const dead = await createWebhook(store, await closedPort())
  const id = await createWebhook(store, port)
  await post(store, `/webhooks/${dead}/replay`, { after: 0 })
  const rates: number[] = []
  const memory: number[] = []
  const costs: number[] = []
  for (let round = 0; round < drains; round++) {
    showProgress(`${bench.engine}: sending ${drained} events, ${round + 1} of ${drains}`)
    const before = processorMs(store.service.pid)
    await post(store, `/webhooks/${id}/replay`, { after: 0 })
    let arrived = 0
    let took = 0
    let peak = 0
    for (let waited = 0; arrived < drained && waited < 120; waited++) {
      await sleep(1_000)
      const report = await receiver.report()
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
  const growth = (memory.at(-1) as number) - (memory[1] as number)
  if (growth > growthMaxMiB) fail(`${bench.engine}: memory grows by ${growth.toFixed(0)} MiB`)
  return [
    rates.map((one) => one.toFixed(0)).join(', '),
    Math.min(...costs).toFixed(0),
    memory.map((one) => one.toFixed(0)).join(', '),
  ]
}

function serve(bench: Bench, more: Record<string, string> = {}): Promise<Subject> {
  const env = { PETSTORE_WEBHOOK_HOSTS: '127.0.0.0/8', ...more }
  return serveFilled(bench, async () => undefined, { env })
}

async function post({ service }: Subject, path: string, body: object): Promise<{ id: number }> {
  const response = await fetch(`${service.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.status === 204 ? { id: 0 } : ((await response.json()) as { id: number })
}

async function createWebhook(store: Subject, port: number): Promise<number> {
  const url = `http://127.0.0.1:${port}/hook`
  return (await post(store, '/webhooks', { url, types: ['pet.created'] })).id
}

/** Creates pets at this rate; returns how many. */
async function createPets(
  { service }: Subject,
  { perSecond, count }: { perSecond: number; count: number },
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const body = '{"name":"Rex","categoryId":7,"status":"available"}'
  const startMs = performance.now()
  let next = 0
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      while (next < count) {
        const dueMs = startMs + (next++ * 1_000) / perSecond
        await sleep(Math.max(0, dueMs - performance.now()))
        await send(service, agent, { method: 'POST', path: '/pets', body })
      }
    }),
  )
  agent.destroy()
  return count
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

type Report = { received: number; distinct: number; seconds: number; p50: number; p99: number }

/** A receiver in a process of its own. */
async function startReceiver(good: number, hanging: number) {
  const file = join(import.meta.dirname, 'receive-webhooks.ts')
  const child = spawn(process.execPath, [file, String(good), String(hanging)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })
  const next = async () => JSON.parse(String((await once(lines, 'line'))[0]))
  const ports = (await next()) as { good: number[]; hanging: number[] }
  return {
    ...ports,
    async report(): Promise<Report> {
      child.stdin.write('\n')
      return await next()
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
    },
  }
}
