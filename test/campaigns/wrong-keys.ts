/**
 * npm run test:wrong-keys -- [--rate 10000] [--engine sqlite|postgres]
 * The latency of requests with a good key, alone and beside this many requests a second that each have another wrong key,
 * interleaved over rounds. Exits with 1 where the p99 more than doubles, or where a response to a wrong key is not a 401.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { median } from '../../bench/statistics.ts'
import { fillPets } from '../harness/fill.ts'
import { processorMs } from '../processes/processor-time.ts'
import { type Bench, fail, onEngines, type Subject, send, serveFilled, tableOf } from './measure.ts'

const ratioMax = 2
const rounds = 5
const seconds = 6
const othersPerSecond = 200

const { values } = parseArgs({
  options: { rate: { type: 'string', default: '10000' }, engine: { type: 'string' } },
})
const rate = Number(values.rate)

await onEngines(values.engine, [], async (bench) => {
  const store = await serveFilled(bench, (address) => fillPets(address, 10_000), {
    // The log has a line for each request, as by default; it goes to a file.
    env: { PETSTORE_ACCESS_LOG: 'on', LOG: join(bench.directory, 'log') },
    wrapper: ['sh', '-c', 'exec "$0" "$@" 2>"$LOG"'],
  })
  const alone: number[] = []
  const beside: number[] = []
  const answered = { sent: 0, refused: 0, others: 0 }
  let costMs = 0
  let queries = 0
  await p99Of(store)
  for (let round = 0; round < rounds; round++) {
    alone.push(await p99Of(store))
    const before = await keyQueries(bench, store)
    const flooding = flood(store)
    beside.push(await p99Of(store))
    const { sent, refused, others } = await flooding
    // Without others, for what one of them costs.
    const beforeMs = processorMs(...store.pids)
    const only = await flood(store)
    costMs += (processorMs(...store.pids) - beforeMs) / only.refused
    queries += (await keyQueries(bench, store)) - before
    answered.sent += sent
    answered.refused += refused
    answered.others += others + only.others
  }
  const ratio = median(beside.map((p99, round) => p99 / (alone[round] ?? Number.NaN)))
  if (!(ratio <= ratioMax)) fail(`${bench.engine}: the p99 grows ${ratio.toFixed(2)} times`)
  if (answered.refused === 0 || answered.others > 0)
    fail(`${bench.engine}: ${answered.refused} times 401, ${answered.others} times another status`)
  const perSecond = (count: number) => (count / rounds / seconds).toFixed(0)
  console.log(
    `\n${tableOf([
      [bench.engine, 'alone', 'beside wrong keys'],
      [
        'p99 of others, median of the rounds, ms',
        ...[alone, beside].map((one) => median(one).toFixed(1)),
      ],
      ['median ratio', '', ratio.toFixed(2)],
      ['processor time of a wrong key, µs', '', ((costMs * 1_000) / rounds).toFixed(0)],
      ['wrong keys sent a second', '', perSecond(answered.sent)],
      ['wrong keys refused a second, beside others', '', perSecond(answered.refused)],
      [
        'reads of the keys a second',
        '',
        bench.server ? (queries / rounds / seconds / 2).toFixed(0) : 'not counted',
      ],
    ])}\n`,
  )
})

/** Half of them creates; each is sent at its time, whatever became of those before. */
async function p99Of({ service }: Subject): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const body = '{"name":"Rex","categoryId":7,"status":"available"}'
  let failed = 0
  const startMs = performance.now()
  const latencies = await Promise.all(
    Array.from({ length: seconds * othersPerSecond }, async (_, index) => {
      const dueMs = startMs + (index * 1_000) / othersPerSecond
      await sleep(Math.max(0, dueMs - performance.now()))
      const call =
        index % 2 === 0 ? { path: '/pets/7' } : { method: 'POST' as const, path: '/pets', body }
      await send(service, agent, call).catch(() => failed++)
      return performance.now() - dueMs
    }),
  )
  agent.destroy()
  if (failed > 0) fail(`${failed} requests with a good key failed`)
  return latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length * 0.99)] ?? Number.NaN
}

/** Sends wrong keys from a process of its own. */
async function flood({
  service,
}: Subject): Promise<{ sent: number; refused: number; others: number }> {
  const { port } = new URL(service.baseUrl)
  const file = join(import.meta.dirname, 'send-wrong-keys.ts')
  const args = [port, rate, seconds].map(String)
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  // It would run on other machines: it leaves the processors to the service and to the client that is measured.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return JSON.parse(output)
}

/** How often PostgreSQL has read the revision of the keys. */
async function keyQueries({ server }: Bench, { env }: Subject): Promise<number> {
  if (!server) return 0
  // A session reports what it read within a second.
  await sleep(1_500)
  const { rows } = await server.query(
    "select seq_scan + coalesce(idx_scan, 0) as scans from pg_stat_user_tables where relname = 'keys_revision'",
    new URL(env.PETSTORE_DATABASE ?? '').pathname.slice(1),
  )
  return Number(rows[0]?.scans)
}
