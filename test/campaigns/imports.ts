/**
 * npm run test:imports -- [--rows 100000] [--engine sqlite|postgres]
 * What a pet costs in processor time by an import, and by creates of 64 clients; the latency of others alone and beside an
 * import; the memory that it takes. Exits with 1 where a pet costs more than half, or where the p99 more than doubles.
 */
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { median } from '../../bench/statistics.ts'
import { fillPets } from '../harness/fill.ts'
import { memoryMiB, processorMs } from '../processes/processor-time.ts'
import { fail, onEngines, type Subject, send, serveFilled, tableOf } from './measure.ts'

const costRatioMax = 0.5
const p99RatioMax = 2
const rounds = 5
const seconds = 4
const othersPerSecond = 200
const clients = 64

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '100000' }, engine: { type: 'string' } },
})
const rows = Number(values.rows)
const petOf = (index: number) => [`Sunny ${index}, cream Maine Coon`, index % 50, 'available']
const file = `name;categoryId;status\n${Array.from({ length: rows }, (_, index) => `${petOf(index).join(';')}\n`).join('')}`

await onEngines(values.engine, [], async (bench) => {
  const store = await serveFilled(bench, (address) => fillPets(address, 10_000), {})
  const { pid } = store.service
  await createAll(store, rows / 20)
  const created = await costOf(store, rows / 5, () => createAll(store, rows / 5))
  const beforeMiB = memoryMiB(pid)
  let mostMiB = beforeMiB
  const watching = setInterval(() => {
    mostMiB = Math.max(mostMiB, memoryMiB(pid))
  }, 50)
  const imported = await costOf(store, rows, () => importAll(store))
  clearInterval(watching)

  const alone: number[] = []
  const beside: number[] = []
  for (let round = 0; round < rounds; round++) {
    alone.push(await p99Of(store))
    const leaving = new AbortController()
    const importing = importUntil(store, leaving.signal)
    beside.push(await p99Of(store))
    leaving.abort()
    await importing
  }
  const costRatio = imported.microseconds / created.microseconds
  const p99Ratio = median(beside.map((p99, round) => p99 / (alone[round] ?? Number.NaN)))
  if (!(costRatio <= costRatioMax)) fail(`${bench.engine}: a pet costs ${costRatio.toFixed(2)}`)
  if (!(p99Ratio <= p99RatioMax))
    fail(`${bench.engine}: the p99 grows ${p99Ratio.toFixed(2)} times`)
  console.log(
    `\n${tableOf([
      [bench.engine, `creates of ${clients} clients`, 'import'],
      [
        'processor time of a pet, µs',
        ...[created, imported].map((one) => one.microseconds.toFixed(1)),
      ],
      ['pets a second', ...[created, imported].map((one) => one.perSecond.toFixed(0))],
      ['memory before and at most, MiB', beforeMiB.toFixed(0), mostMiB.toFixed(0)],
      [
        'p99 of others, alone and beside, ms',
        ...[alone, beside].map((one) => median(one).toFixed(1)),
      ],
      ['median ratio of the p99', '', p99Ratio.toFixed(2)],
    ])}\n`,
  )
})

async function costOf({ pids }: Subject, count: number, work: () => Promise<void>) {
  const [beforeMs, startMs] = [processorMs(...pids), performance.now()]
  await work()
  const perSecond = (count * 1_000) / (performance.now() - startMs)
  return { microseconds: ((processorMs(...pids) - beforeMs) * 1_000) / count, perSecond }
}

async function createAll({ service }: Subject, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  let sent = 0
  const client = async () => {
    while (sent < count) {
      const [name, categoryId, status] = petOf(sent++)
      const body = JSON.stringify({ name, categoryId, status })
      await send(service, agent, { method: 'POST', path: '/pets', body })
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  agent.destroy()
}

async function importAll({ service }: Subject, signal?: AbortSignal): Promise<void> {
  const response = await fetch(`${service.baseUrl}/pets/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'text/csv' },
    body: file,
    ...(signal ? { signal } : {}),
  })
  const text = await response.text()
  if (response.status !== 200) fail(`An import got ${response.status}: ${text}`)
}

async function importUntil(store: Subject, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await importAll(store, signal).catch(() => undefined)
}

/** Half of them creates; each is sent at its time, whatever became of those before. */
async function p99Of({ service }: Subject): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const body = '{"name":"Rex","categoryId":7,"status":"available"}'
  const startMs = performance.now()
  const latencies = await Promise.all(
    Array.from({ length: seconds * othersPerSecond }, async (_, index) => {
      const dueMs = startMs + (index * 1_000) / othersPerSecond
      await sleep(Math.max(0, dueMs - performance.now()))
      const isRead = index % 2 === 0
      await send(
        service,
        agent,
        isRead ? { path: '/pets/7' } : { method: 'POST', path: '/pets', body },
      )
      return performance.now() - dueMs
    }),
  )
  agent.destroy()
  return latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length * 0.99)] ?? Number.NaN
}
