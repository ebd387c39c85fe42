/**
 * npm run test:sizes -- [--small 10000] [--large 10000000] [--engine sqlite|postgres]
 * Processor time of each kind of request with a large catalogue, as a ratio to that with a small one,
 * interleaved over rounds. Linux only. Exits with 1 where a ratio or the memory is beyond its limit.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { encodeCursor } from '../../src/http/request/cursor.ts'
import { fillPostgres, fillSqlite } from '../harness/fill.ts'
import { showProgress } from '../harness/progress.ts'
import { SeededRandom } from '../harness/seeded-random.ts'
import { type PostgresServer, startPostgres } from '../processes/postgres.ts'
import { type Service, settingsFor, startService } from '../processes/process.ts'
import { memoryMiB, processorMs } from '../processes/processor-time.ts'

const ratioMax = 1.3
const memoryGrowthMaxMiB = 64
const rounds = 9
const requestsPerRound = 3_000
const connections = 16
/** A quarter of a small machine's memory, as PostgreSQL's documentation recommends; its default is for none. */
const serverFlags = ['-c', 'shared_buffers=2GB', '-c', 'max_wal_size=8GB']
/** A page that starts further on might not be full. */
const lastPages = 5_000

const { values } = parseArgs({
  options: {
    small: { type: 'string', default: '10000' },
    large: { type: 'string', default: '10000000' },
    engine: { type: 'string' },
  },
})
const sizes = [Number(values.small), Number(values.large)] as const
const engines = values.engine === undefined ? ['sqlite', 'postgres'] : [values.engine]
const random = new SeededRandom(1)

type Store = { service: Service; size: number; pids: number[] }
type Call = { method: 'GET' | 'POST'; path: string; body?: string }

const workloads: Record<string, (size: number) => Call> = {
  page: (size) => get(`/pets?cursor=${cursorAt(size, [])}`),
  'filtered page': (size) =>
    get(`/pets?status=available&cursor=${cursorAt(size, [['status', 'available']])}`),
  'one pet': (size) => get(`/pets/${idUpTo(size)}`),
  create: () => ({
    method: 'POST',
    path: '/pets',
    body: '{"name":"Rex","categoryId":7,"status":"available"}',
  }),
}

for (const engine of engines) await measureEngine(engine)
// Set explicitly: the package that runs PostgreSQL would end the process with 0.
process.exit(process.exitCode ?? 0)

async function measureEngine(engine: string) {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-sizes-'))
  const server = engine === 'postgres' ? await startPostgres(serverFlags) : undefined
  const stores: Store[] = []
  try {
    for (const size of sizes) {
      console.log(`${engine}: filling a store with ${size.toLocaleString('en')} pets`)
      const database = server
        ? await server.createDatabase()
        : `sqlite:${join(directory, `${size}.db`)}`
      const env = {
        ...settingsFor(directory),
        PETSTORE_DATABASE: database,
        PETSTORE_FIRST_KEY_FILE: join(directory, `${size}.key`),
      }
      // Migrated by its first start, filled while no service runs.
      await (await startService({ env })).stop()
      await (server
        ? fillPostgres(database, size)
        : fillSqlite(database.replace('sqlite:', ''), size))
      const service = await startService({ env })
      stores.push({
        service,
        size,
        pids: [service.pid, ...(server ? [await postmasterOf(server)] : [])],
      })
    }
    report(engine, await compare(stores))
  } finally {
    for (const { service } of stores) await service.stop()
    await server?.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** The server writes its process id into the first line of this file. */
async function postmasterOf(server: PostgresServer): Promise<number> {
  const { rows } = await server.query("select pg_read_file('postmaster.pid') as file")
  return Number.parseInt(rows[0].file, 10)
}

type Figures = { ratios: Record<string, number[]>; memory: number[] }

async function compare(stores: Store[]): Promise<Figures> {
  const ratios: Record<string, number[]> = Object.fromEntries(
    Object.keys(workloads).map((name) => [name, []]),
  )
  for (let round = 0; round <= rounds; round++) {
    showProgress(`round ${round} of ${rounds}`)
    for (const [name, call] of Object.entries(workloads)) {
      const cost = new Map<number, number>()
      // The order changes from round to round; round 0 only warms up.
      for (const store of round % 2 === 0 ? stores : stores.toReversed()) {
        cost.set(store.size, await costOf(store, call))
      }
      if (round > 0) ratios[name]?.push((cost.get(sizes[1]) ?? 0) / (cost.get(sizes[0]) ?? 1))
    }
  }
  return { ratios, memory: stores.map(({ service }) => memoryMiB(service.pid)) }
}

/** Processor time of one request, that of the database server included, in microseconds. */
async function costOf(
  { service, size, pids }: Store,
  call: (size: number) => Call,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const before = processorMs(...pids)
  let left = requestsPerRound
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (left-- > 0) await send(service, agent, call(size))
    }),
  )
  const spent = processorMs(...pids) - before
  agent.destroy()
  return (spent * 1_000) / requestsPerRound
}

function send(
  { baseUrl, key }: Service,
  agent: Agent,
  { method, path, body }: Call,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    }
    const sent = request(`${baseUrl}${path}`, { agent, method, headers }, (response) => {
      const isRight = response.statusCode === (method === 'POST' ? 201 : 200)
      if (!isRight) reject(new Error(`${method} ${path} answered ${response.statusCode}`))
      response.resume().once('end', resolve)
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

function report(engine: string, { ratios, memory }: Figures) {
  console.log(
    `\n| ${engine}, ${sizes.map((size) => size.toLocaleString('en')).join(' → ')} pets | median | lowest | highest |\n| --- | --- | --- | --- |`,
  )
  for (const [name, all] of Object.entries(ratios)) {
    const sorted = all.toSorted((a, b) => a - b)
    const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
    const shown = [median, sorted[0], sorted.at(-1)].map((ratio) => ratio?.toFixed(2)).join(' | ')
    console.log(`| ${name} | ${shown} |`)
    if (!(median <= ratioMax)) fail(`${engine}: ${name} costs ${median.toFixed(2)} times as much`)
  }
  const [small = 0, large = 0] = memory
  console.log(`| memory of the service, MiB | ${small.toFixed(0)} → ${large.toFixed(0)} | | |\n`)
  if (large - small > memoryGrowthMaxMiB)
    fail(`${engine}: the memory of the service grows with the catalogue`)
}

function fail(sentence: string) {
  console.error(`sizes: FAILED, ${sentence}.`)
  process.exitCode = 1
}

function get(path: string): Call {
  return { method: 'GET', path }
}

function idUpTo(size: number): number {
  return Math.floor(random.between(1, size))
}

/** A cursor anywhere in a list with these filters, as the service itself would write it. */
function cursorAt(size: number, filters: [string, string][]): string {
  return encodeCursor(BigInt(idUpTo(size - lastPages)), JSON.stringify(['listPets', 'id', filters]))
}
