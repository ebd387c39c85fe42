/**
 * npm run bench:processes -- [--rounds 9] [--window 1000]
 * Processor time per answer of ours with `PETSTORE_PROCESSES`, and of Fastify under `node:cluster`, each with one process and
 * with two, on one PostgreSQL. All four do the same work in turns: they check the key, look up one pet or a page of 20, or
 * insert a pet and commit it. Prints the medians with those of PostgreSQL in them, and the ratio of two processes to one.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../test/processes/postgres.ts'
import { repositoryRoot, whenThisProcessIsGone } from '../test/processes/process.ts'
import { fillOurs } from './harness/fill.ts'
import type { Participant } from './harness/measure.ts'
import { installContenders } from './harness/packages.ts'
import { runRounds } from './harness/rounds.ts'
import { withoutHousekeeping } from './harness/run-benchmark.ts'
import { type Server, startContender, startOurs } from './harness/server.ts'
import { markdownTable } from './report/tables.ts'
import { estimate, median } from './statistics.ts'
import { type Workload, workloads } from './workloads.ts'

const petCount = 20_000
const counts = [1, 2] as const
const chosen = workloads
  .filter(({ engine, name }) => engine === 'postgres' && / (?:same page|creates)$/.test(name))
  .filter(({ writes }) => writes === 'one pet')
const onePet = { ...(chosen[0] as Workload), name: 'one pet', reads: 'pets' } as const

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    window: { type: 'string', default: '1000' },
  },
})

await using stack = new AsyncDisposableStack()
const directory = mkdtempSync(join(tmpdir(), 'petstore-bench-'))
whenThisProcessIsGone('sleep 1; rm -rf "$1"', [directory])
installContenders()
const postgres = await startPostgres(withoutHousekeeping)
stack.defer(postgres.stop)
const { rows } = await postgres.query("select pg_read_file('postmaster.pid') as file")
const databasePid = Number.parseInt(rows[0].file, 10)
const files = writePaths()
const participants: Participant[] = []
for (const count of counts) {
  participants.push(await admit(`ours, ${count}`, startOursWith(count)))
  participants.push(await admit(`Fastify, ${count}`, startFastifyWith(count)))
}
const plan = { rounds: Number(values.rounds), windowMs: Number(values.window), warmUpMs: 2_000 }
const { windows, skips } = await runRounds(
  { sqlite: [], postgres: participants },
  [onePet, ...chosen],
  plan,
)
const figures = Object.entries(windows).flatMap(([workload, of]) => {
  const costs = (name: string) => (of[name] ?? []).map(({ processorUs }) => processorUs)
  return ['ours', 'Fastify'].map((name) => {
    const [one, two] = counts.map((count) => costs(`${name}, ${count}`)) as [number[], number[]]
    const ratio = estimate(two.map((cost, round) => cost / (one[round] as number)))
    const rates = (of[`${name}, 2`] ?? []).map(({ perSecond }) => perSecond)
    return [
      ...[workload, name, median(one).toFixed(0), median(two).toFixed(0)],
      `${ratio.median.toFixed(2)} (${ratio.low.toFixed(2)} to ${ratio.high.toFixed(2)})`,
      median(rates).toFixed(0),
    ]
  })
})
const head = ['workload', 'server', 'µs, 1 process', 'µs, 2 processes', 'ratio', 'a second, 2']
console.log(markdownTable([head, ...figures]))
if (Object.keys(skips).length > 0) console.error(skips)
await stack.disposeAsync()
// Set explicitly: the package that runs PostgreSQL would end the process with 0.
process.exit(Object.keys(skips).length === 0 ? 0 : 1)

async function startOursWith(count: number): Promise<Server> {
  const address = await postgres.createDatabase()
  const name = `ours, ${count}`
  await fillOurs({ engine: 'postgres', text: address, name }, petCount)
  const own = join(directory, String(count))
  mkdirSync(own)
  const env = { PETSTORE_DATABASE: address, PETSTORE_PROCESSES: String(count) }
  return startOurs({ name, databasePid, database: nameOf(address) }, repositoryRoot, own, env)
}

async function startFastifyWith(count: number): Promise<Server> {
  const address = await postgres.createDatabase()
  const setup = { name: `Fastify, ${count}`, databasePid, database: nameOf(address) }
  const program = join(import.meta.dirname, 'contenders/fastify-pg-cluster.ts')
  return startContender(setup, process.execPath, program, {
    BENCH_DATABASE: address,
    BENCH_COUNT: String(petCount),
    BENCH_PROCESSES: String(count),
  })
}

/** Fails unless the server has the sample pets. */
async function admit(name: string, starting: Promise<Server>): Promise<Participant> {
  const server = await starting
  stack.defer(server.stop)
  await postgres.query('vacuum analyze', server.database)
  const headers = { authorization: `Bearer ${server.key}` }
  const response = await fetch(`${server.baseUrl}/pets/${petCount}`, { headers })
  if (response.status !== 200) throw new Error(`${name}: ${response.status}`)
  return { server, files }
}

function writePaths(): Participant['files'] {
  const pets = Array.from({ length: petCount }, (_, index) => `/v1/pets/${index + 1}`)
  const write = (name: string, paths: readonly string[]) => {
    writeFileSync(join(directory, name), paths.join('\n'))
    return join(directory, name)
  }
  const page = write('page', ['/v1/pets?limit=20'])
  return { 'first page': page, pets: write('pets', pets) } as Participant['files']
}

function nameOf(address: string): string {
  return new URL(address).pathname.slice(1)
}
