/**
 * npm run test:imports -- [--rows 100000] [--engine sqlite|postgres]
 * What a pet costs in processor time by an import, and by creates of 64 clients; the latency of others alone and beside an
 * import; the memory that it takes. Exits with 1 where a pet costs more than half, or where the p99 more than doubles.
 */
import { parseArgs } from 'node:util'
import { quantile } from '../../bench/statistics.ts'
import { fillPets } from '../harness/fill.ts'
import { memoryMiB, processorMs } from '../processes/processor-time.ts'
import {
  compareBeside,
  fail,
  onEngines,
  printTable,
  readsAndCreates,
  type Subject,
  sendAtRate,
  serveFilled,
} from './measure.ts'

const costRatioMax = 0.5
const p99 = { rounds: 5, ratioMax: 2 }
const others = { perSecond: 200, count: 800 }
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
  const compared = await compareBeside(`${bench.engine}: the p99`, p99, {
    alone: () => p99Of(store),
    async beside() {
      const leaving = new AbortController()
      const importing = importUntil(store, leaving.signal)
      const found = await p99Of(store)
      leaving.abort()
      await importing
      return found
    },
  })
  const costRatio = imported.microseconds / created.microseconds
  if (!(costRatio <= costRatioMax)) fail(`${bench.engine}: a pet costs ${costRatio.toFixed(2)}`)
  const both = [created, imported]
  printTable([
    [bench.engine, `creates of ${clients} clients`, 'import'],
    ['processor time of a pet, µs', ...both.map((one) => one.microseconds.toFixed(1))],
    ['pets a second', ...both.map((one) => one.perSecond.toFixed(0))],
    ['memory before and at most, MiB', beforeMiB.toFixed(0), mostMiB.toFixed(0)],
    ['p99 of others, alone and beside, ms', compared.alone, compared.beside],
    ['median ratio of the p99', '', compared.ratio],
  ])
})

async function costOf({ pids }: Subject, count: number, work: () => Promise<unknown>) {
  const [beforeMs, startMs] = [processorMs(...pids), performance.now()]
  await work()
  const perSecond = (count * 1_000) / (performance.now() - startMs)
  return { microseconds: ((processorMs(...pids) - beforeMs) * 1_000) / count, perSecond }
}

function createAll({ service }: Subject, count: number): Promise<unknown> {
  const rate = { perSecond: Number.POSITIVE_INFINITY, count, connections: clients }
  return sendAtRate(service, rate, (index) => {
    const [name, categoryId, status] = petOf(index)
    return { method: 'POST', path: '/pets', body: JSON.stringify({ name, categoryId, status }) }
  })
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

async function p99Of({ service }: Subject): Promise<number> {
  return quantile(await sendAtRate(service, others, readsAndCreates), 0.99)
}
