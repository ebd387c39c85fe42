import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SeededRandom } from '../../test/harness/seeded-random.ts'
import { type PostgresServer, postmasterOf } from '../../test/processes/postgres.ts'
import { repositoryRoot } from '../../test/processes/process.ts'
import { samplePet } from '../contenders/sample-pets.ts'
import {
  before,
  isOfOrders,
  observed,
  rawNode,
  takesPart,
  twofold,
  type Workload,
} from '../workloads.ts'
import { checkAnswers, checkRefusals } from './check-answers.ts'
import type { fillOurs } from './fill.ts'
import type { Participant } from './measure.ts'
import { makeOrders } from './orders.ts'
import { pageSize, walk } from './pages.ts'
import { checkReplay, record } from './record.ts'
import { type Server, type Setup, startContender, startOurs } from './server.ts'
import { watchSyncs } from './syncs.ts'

const petCount = 100_000
const petPaths = 20_000

/**
 * What ours is compared with: the contenders, or itself in another working copy. Or ours and Fastify are each compared with themselves
 * with a log of requests and metrics, or with a second process.
 */
export type Mode = 'contenders' | 'before' | 'observed' | 'processes'

export type Bench = {
  directory: string
  /** Preloaded into the servers on SQLite. */
  syncsLibrary: string
  stack: AsyncDisposableStack
  bun: string
  mode: Mode
  /** The other working copy. */
  against?: string | undefined
}

type Contender = { name: string; runtime: 'node' | 'bun'; program: string; env?: Env }
type Env = Record<string, string>
const contenders: Record<Workload['engine'], readonly Contender[]> = {
  sqlite: [
    { name: 'Fastify + node:sqlite', runtime: 'node', program: 'fastify-sqlite.ts' },
    { name: 'Express + better-sqlite3', runtime: 'node', program: 'express-better-sqlite3.ts' },
    { name: 'Elysia + bun:sqlite', runtime: 'bun', program: 'elysia-sqlite.ts' },
  ],
  postgres: [
    { name: 'Fastify + pg', runtime: 'node', program: 'fastify-pg.ts' },
    { name: "Elysia + Bun's client", runtime: 'bun', program: 'elysia-bun-sql.ts' },
  ],
}

type Instance = { name: string; root?: string; env?: Env }

/** Two instances of our service, each with its working copy and its settings. */
function instancesOf({ mode, against }: Bench): [Instance, Instance] {
  const second: Record<Mode, Instance> = {
    contenders: { name: 'ours again' },
    before: { name: before, ...(against && { root: against }) },
    observed: {
      name: observed('ours'),
      env: { PETSTORE_ACCESS_LOG: 'on', PETSTORE_METRICS_ADDRESS: '0' },
    },
    processes: { name: twofold('ours'), env: { PETSTORE_PROCESSES: '2' } },
  }
  const env: Env = mode === 'processes' ? { PETSTORE_PROCESSES: '1' } : {}
  return [{ name: 'ours', env }, second[mode]]
}

/** The contenders on an engine; of those that are compared with themselves two instances. */
function contendersOn(
  { mode, directory }: Bench,
  engine: Workload['engine'],
): readonly Contender[] {
  if (mode === 'contenders') return contenders[engine]
  if (mode === 'before') return []
  const own = contenders[engine].filter(({ name }) => name.startsWith('Fastify'))
  return own.flatMap((contender) => {
    if (mode === 'observed') {
      const name = observed(contender.name)
      const env = { BENCH_LOG: join(directory, `${fileNameOf(name)}.log`) }
      return [contender, { ...contender, name, env }]
    }
    const cluster = { ...contender, program: 'fastify-pg-cluster.ts' }
    return [
      { ...cluster, env: { BENCH_PROCESSES: '1' } },
      { ...cluster, name: twofold(contender.name), env: { BENCH_PROCESSES: '2' } },
    ]
  })
}

/** Each version fills its own database: an older one does not open the schema of a newer one. */
async function fillerOf(root: string): Promise<typeof fillOurs> {
  return (await import(join(root, 'bench/harness/fill.ts'))).fillOurs
}

/** A database file of our service with all sample pets. */
export async function makeTemplate({ directory }: Bench, root = repositoryRoot): Promise<string> {
  console.log(`filling a database with ${petCount.toLocaleString('en')} pets`)
  const path = join(mkdtempSync(join(directory, 'template-')), 'template.db')
  const fill = await fillerOf(root)
  await fill({ engine: 'sqlite', path, name: path }, petCount)
  return path
}

/** Starts our service on a copy of the template. */
async function startOursOn(
  bench: Bench,
  template: string,
  name: string,
  { root = repositoryRoot, env = {} }: { root?: string; env?: Env } = {},
): Promise<Server> {
  const directory = makeDirectory(bench, name)
  const file = join(directory, 'petstore.db')
  copyFileSync(template, file)
  const setup = { name, file, syncs: syncsOf(bench, name) }
  return stopLater(bench, await startOurs(setup, root, directory, env))
}

/** Starts the participants on SQLite. Throws when one of them fails a check. */
export async function startOnSqlite(
  bench: Bench,
  template: string,
  chosen: readonly Workload[],
): Promise<Participant[]> {
  const participants: Participant[] = []
  for (const { name, root = repositoryRoot, env = {} } of instancesOf(bench)) {
    const own = root === repositoryRoot ? template : await makeTemplate(bench, root)
    const server = await startOursOn(bench, own, name, { root, env })
    participants.push(await admit(bench, server, chosen))
  }
  for (const contender of contendersOn(bench, 'sqlite')) {
    const { name } = contender
    const file = join(bench.directory, `${fileNameOf(name)}.db`)
    const setup = { name, file, syncs: syncsOf(bench, name) }
    const server = await start(bench, contender, setup, { BENCH_DATABASE: file })
    participants.push(await admit(bench, server, chosen))
  }
  const [ours] = participants
  if (ours && bench.mode === 'contenders') participants.push(await startRawNode(bench, ours))
  return participants
}

async function startRawNode(bench: Bench, { server, files }: Participant): Promise<Participant> {
  const paths = Object.values(files).flatMap(readPaths)
  const env = { BENCH_RECORDING: join(bench.directory, 'recording.json') }
  await record(server, paths, env.BENCH_RECORDING)
  const program = { name: rawNode, runtime: 'node', program: 'raw-node.ts' } as const
  const raw = await start(bench, program, { name: rawNode }, env)
  await checkRefusals(raw)
  await checkReplay(server, raw, paths)
  return { server: raw, files }
}

/** Starts the participants on PostgreSQL, each with a database of its own. Throws when one of them fails a check. */
export async function startOnPostgres(
  bench: Bench,
  postgres: PostgresServer,
  chosen: readonly Workload[],
): Promise<Participant[]> {
  const participants: Participant[] = []
  const databasePid = await postmasterOf(postgres)
  const setUp = async (name: string) => {
    const address = await postgres.createDatabase()
    return { address, setup: { name, databasePid, database: new URL(address).pathname.slice(1) } }
  }
  for (const { name, root = repositoryRoot, env = {} } of instancesOf(bench)) {
    const { address, setup } = await setUp(name)
    const fill = await fillerOf(root)
    await fill({ engine: 'postgres', text: address, name }, petCount)
    await postgres.query('vacuum analyze', setup.database)
    const directory = makeDirectory(bench, `${name} postgres`)
    const server = await startOurs(setup, root, directory, {
      PETSTORE_DATABASE: address,
      ...env,
    })
    participants.push(await admit(bench, stopLater(bench, server), chosen))
  }
  for (const contender of contendersOn(bench, 'postgres')) {
    const { address, setup } = await setUp(contender.name)
    const server = await start(bench, contender, setup, { BENCH_DATABASE: address })
    participants.push(await admit(bench, server, chosen))
  }
  return participants
}

/** Checks a server's answers for each of its workloads and writes its files. */
async function admit(
  { directory }: Bench,
  server: Server,
  chosen: readonly Workload[],
): Promise<Participant> {
  const { name, database = 'SQLite' } = server
  console.log(`checking ${name} on ${database === 'SQLite' ? database : 'PostgreSQL'}`)
  const own = chosen.filter((workload) => takesPart(name, workload))
  const hasOrders = own.some(({ writes }) => isOfOrders(writes))
  const lines = {
    'first page': [firstPage],
    pages: [''],
    available: [''],
    pets: petPathsOf(),
    ...(hasOrders ? await makeOrders(server, availableIds) : {}),
    cancellations: [],
  }
  for (const { reads, filter, ids } of walks) {
    const isRead = own.some((workload) => workload.reads === reads)
    lines[reads] = isRead ? await walk(server, { filter, ids }) : []
  }
  for (const workload of own) await checkAnswers(server, workload)
  const files = Object.entries(lines).map(([what, some]) => {
    const file = join(directory, `${fileNameOf(`${name} ${database} ${what}`)}.txt`)
    writeFileSync(file, some.join('\n'))
    return [what, file]
  })
  return { server, files: Object.fromEntries(files) }
}

async function start(
  bench: Bench,
  { runtime, program, env: own }: Contender,
  setup: Setup,
  env: Env,
): Promise<Server> {
  const command = runtime === 'bun' ? bench.bun : process.execPath
  const path = join(import.meta.dirname, '../contenders', program)
  const counted = { ...env, ...own, BENCH_COUNT: String(petCount) }
  return stopLater(bench, await startContender(setup, command, path, counted))
}

function stopLater({ stack }: Bench, server: Server): Server {
  stack.defer(server.stop)
  return server
}

function syncsOf({ directory, syncsLibrary }: Bench, name: string) {
  return watchSyncs(syncsLibrary, join(directory, `${fileNameOf(name)}.syncs`))
}

function makeDirectory({ directory }: Bench, name: string): string {
  const own = join(directory, fileNameOf(name))
  mkdirSync(own)
  return own
}

function fileNameOf(name: string): string {
  return name.replaceAll(/\W+/g, '-')
}

const firstPage = `/v1/pets?limit=${pageSize}`
const allIds = Array.from({ length: petCount }, (_, index) => index + 1)
const availableIds = allIds.filter((id) => samplePet(id).status === 'available')
const walks = [
  { reads: 'pages', filter: '', ids: allIds },
  { reads: 'available', filter: '&status=available', ids: availableIds },
] as const

function readPaths(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('/'))
}

function petPathsOf(): string[] {
  const random = new SeededRandom(1)
  const randomId = () => Math.floor(random.between(1, petCount + 1))
  return Array.from({ length: petPaths }, () => `/v1/pets/${randomId()}`)
}
