/**
 * npm run test:imports -- [--rows 100000] [--engine sqlite|postgres]
 * What a pet costs in processor time by an import, and by creates of 64 clients; the latency of others alone and beside an
 * import; the memory that it takes. Exits with 1 where a pet costs more than half, or where the p99 more than doubles.
 */
import { fillPets } from '../harness/fill.ts'
import { call } from '../harness/petstore.ts'
import { memoryMiB } from '../processes/processor-time.ts'
import {
  compareBeside,
  costOf,
  fail,
  onEngines,
  p99Of,
  printTable,
  requireAtMost,
  type Subject,
  sendAtOnce,
  serveFilled,
  watchMost,
} from './measure.ts'
import { readOptions } from './options.ts'

const costRatioMax = 0.5
const p99 = { rounds: 5, ratioMax: 2 }
const seconds = 4
const clients = 64

const { rows, engine } = readOptions({ rows: 100_000, engine: '' })
const petOf = (index: number) => [`Sunny ${index}, cream Maine Coon`, index % 50, 'available']
const file = `name;categoryId;status\n${Array.from({ length: rows }, (_, index) => `${petOf(index).join(';')}\n`).join('')}`

await onEngines(engine, [], async (bench) => {
  const store = await serveFilled(bench, (address) => fillPets(address, 10_000))
  const { pid } = store.service
  await createAll(store, rows / 20)
  const created = await costOf(store, rows / 5, () => createAll(store, rows / 5))
  const beforeMiB = memoryMiB(pid)
  const memory = watchMost(() => memoryMiB(pid), 50)
  const imported = await costOf(store, rows, () => importAll(store))
  const mostMiB = memory.stop()
  const compared = await compareBeside(`${bench.engine}: the p99`, p99, {
    alone: () => p99Of(store, seconds),
    async beside() {
      const leaving = new AbortController()
      const importing = importUntil(store, leaving.signal)
      const found = await p99Of(store, seconds)
      leaving.abort()
      await importing
      return found
    },
  })
  const costRatio = imported.microseconds / created.microseconds
  requireAtMost(`${bench.engine}: a pet costs, times a create`, costRatio, costRatioMax)
  printTable([
    [bench.engine, `creates of ${clients} clients`, 'import'],
    ['processor time of a pet, µs', created.microseconds, imported.microseconds],
    ['pets a second', created.perSecond, imported.perSecond],
    ['memory before and at most, MiB', beforeMiB, mostMiB],
    ['p99 of others, alone and beside, ms', compared.alone, compared.beside],
    ['median ratio of the p99', '', compared.ratio],
  ])
})

function createAll({ service }: Subject, count: number): Promise<unknown> {
  return sendAtOnce(service, { count, connections: clients }, (index) => {
    const [name, categoryId, status] = petOf(index)
    return { method: 'POST', path: '/pets', body: JSON.stringify({ name, categoryId, status }) }
  })
}

async function importAll({ service }: Subject, signal?: AbortSignal): Promise<void> {
  const headers = { 'content-type': 'text/csv' }
  const init = { method: 'POST', headers, body: file, ...(signal && { signal }) }
  const response = await call(service, '/pets/import', init)
  const text = await response.text()
  if (response.status !== 200) fail(`An import got ${response.status}: ${text}`)
}

async function importUntil(store: Subject, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await importAll(store, signal).catch(() => undefined)
}
