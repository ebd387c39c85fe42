import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { PostgresServer } from '../../test/support/postgres.ts'
import { SeededRandom } from '../../test/support/seeded-random.ts'
import { animalOf } from '../contenders/animals.ts'
import type { Workload } from '../workloads.ts'
import { enter, type LineUp, noteDash, type Paths, surveyPaths } from './entrant.ts'
import { fillOurs } from './fill.ts'
import { prove } from './prove.ts'
import { proveReplay, record } from './record.ts'
import { type Server, startOther, startOurs } from './server.ts'
import { Wrong } from './survey.ts'
import { watchSyncs } from './syncs.ts'

const animals = 100_000
const animalsAsked = 20_000
const replayedSamples = 3
/** Any key will do for those who are told which one to let in. */
const contenderKey = 'pet_live_0000000000000000000000000000000000000000'

export type Bench = {
  directory: string
  /** What is preloaded into servers; absent without a C compiler. */
  syncsLibrary: string | undefined
  stack: AsyncDisposableStack
  say(sentence: string): void
  bun: string
}

const folder = join(import.meta.dirname, '../contenders')
type Contender = { name: string; runtime: 'node' | 'bun'; program: string }
const sqliteContenders: readonly Contender[] = [
  { name: 'Fastify + node:sqlite', runtime: 'node', program: 'fastify-sqlite.ts' },
  { name: 'Express + better-sqlite3', runtime: 'node', program: 'express-better-sqlite3.ts' },
  { name: 'Elysia + bun:sqlite', runtime: 'bun', program: 'elysia-sqlite.ts' },
]
const postgresContenders: readonly Contender[] = [
  { name: 'Fastify + pg', runtime: 'node', program: 'fastify-pg.ts' },
  { name: "Elysia + Bun's client", runtime: 'bun', program: 'elysia-bun-sql.ts' },
]
const limits: readonly Contender[] = [
  { name: 'raw node:http', runtime: 'node', program: 'raw-node.ts' },
  { name: 'raw Bun.serve', runtime: 'bun', program: 'raw-bun.ts' },
]

/** A file with the animals in it, as our service leaves it behind. */
export async function makeTemplate({ directory, say }: Bench): Promise<string> {
  say(`filling a store with ${animals.toLocaleString('en')} animals`)
  const path = join(directory, 'template.db')
  await fillOurs({ engine: 'sqlite', path, name: path }, animals)
  return path
}

/** Our service on a copy of the template. */
export async function startOursOn(
  bench: Bench,
  template: string,
  name: string,
  env: Record<string, string> = {},
): Promise<Server> {
  const directory = join(bench.directory, name.replaceAll(' ', '-'))
  mkdirSync(directory)
  copyFileSync(template, join(directory, 'petstore.db'))
  return stopLater(
    bench,
    await startOurs({ name, syncs: syncsOf(bench, name) }, { directory, env }),
  )
}

/** A contender on SQLite, with a file of its own. */
export async function startContender(
  bench: Bench,
  contender: string,
  name = contender,
): Promise<Server> {
  const found = sqliteContenders.find((entry) => entry.name === contender)
  if (!found) throw new Error(`There is no ${contender}.`)
  return start(bench, { ...found, name }, join(bench.directory, `${fileNameOf(name)}.db`))
}

/** Starts who takes part on SQLite, and notes a dash where an answer is wrong. */
export async function lineUpSqlite(
  bench: Bench,
  lineUp: LineUp,
  template: string,
  chosen: readonly Workload[],
): Promise<void> {
  const wanted = chosen.filter(({ engine }) => engine === 'sqlite')
  const recorded: Record<string, Paths> = {}
  for (const name of ['ours', 'ours again']) {
    const server = await startOursOn(bench, template, name)
    recorded[name] = await admit(bench, lineUp, server, wanted)
  }
  for (const contender of sqliteContenders) {
    const server = await orDash(lineUp, contender.name, wanted, () =>
      startContender(bench, contender.name),
    )
    if (server) await admit(bench, lineUp, server, wanted)
  }
  const [ours] = lineUp.entrants.sqlite
  if (ours && recorded.ours) await lineUpLimits(bench, lineUp, ours.server, recorded.ours, wanted)
}

/** As `lineUpSqlite`, each with a database of its own in this server. */
export async function lineUpPostgres(
  bench: Bench,
  lineUp: LineUp,
  postgres: PostgresServer,
  chosen: readonly Workload[],
): Promise<void> {
  const wanted = chosen.filter(({ engine }) => engine === 'postgres')
  const { rows } = await postgres.query("select pg_read_file('postmaster.pid') as file")
  const databasePids = [Number.parseInt(rows[0].file, 10)]
  for (const name of ['ours', 'ours again']) {
    const address = await postgres.createDatabase()
    await fillOurs({ engine: 'postgres', text: address, name }, animals)
    await postgres.query('vacuum analyze', databaseName(address))
    const directory = join(bench.directory, `${fileNameOf(name)}-postgres`)
    mkdirSync(directory)
    const env = { PETSTORE_DATABASE: address }
    const started = { name, syncs: undefined, databasePids, database: databaseName(address) }
    const server = await startOurs(started, { directory, env })
    await admit(bench, lineUp, stopLater(bench, server), wanted, 'postgres')
  }
  for (const contender of postgresContenders) {
    const address = await postgres.createDatabase()
    const server = await orDash(lineUp, contender.name, wanted, () =>
      start(bench, contender, address, databasePids),
    )
    if (server) await admit(bench, lineUp, server, wanted, 'postgres')
  }
}

async function lineUpLimits(
  bench: Bench,
  lineUp: LineUp,
  ours: Server,
  paths: Paths,
  wanted: readonly Workload[],
): Promise<void> {
  const file = join(bench.directory, 'recording.json')
  await record(ours, Object.values(paths).flat(), file)
  const samples = Object.values(paths).flatMap((some) => some.slice(0, replayedSamples))
  for (const { name, runtime, program } of limits) {
    const command = [runtime === 'bun' ? bench.bun : process.execPath, join(folder, program)]
    const env = { BENCH_RECORDING: file }
    const options = { command, key: contenderKey, env, isLimit: true }
    const server = await orDash(lineUp, name, wanted, async () =>
      stopLater(bench, await startOther({ name, syncs: undefined }, options)),
    )
    if (!server) continue
    await orDash(lineUp, name, wanted, () => proveReplay(ours, server, samples))
    lineUp.entrants.sqlite.push(enter(server, paths, bench.directory))
    await proveAll(
      lineUp,
      server,
      wanted.filter(({ hasLimits }) => hasLimits),
    )
  }
}

async function start(
  bench: Bench,
  { name, runtime, program }: Contender,
  database: string,
  databasePids: readonly number[] = [],
): Promise<Server> {
  const command = [runtime === 'bun' ? bench.bun : process.execPath, join(folder, program)]
  const env = { BENCH_DATABASE: database, BENCH_COUNT: String(animals) }
  const syncs = databasePids.length === 0 ? syncsOf(bench, name) : undefined
  const started = { name, syncs, databasePids, database: databaseName(database) }
  const server = await startOther(started, { command, key: contenderKey, env })
  return stopLater(bench, server)
}

async function admit(
  bench: Bench,
  lineUp: LineUp,
  server: Server,
  wanted: readonly Workload[],
  engine: Workload['engine'] = 'sqlite',
): Promise<Paths> {
  bench.say(`${engine}: ${server.name} has to answer correctly`)
  const { paths, reasons } = await surveyPaths(
    server,
    walks.filter(({ name }) => wanted.some(({ reads }) => reads === name)),
    animalPaths(),
  )
  for (const { name, reads } of wanted) {
    const reason = reasons[reads]
    if (reason !== undefined) noteDash(lineUp, name, server.name, reason)
  }
  await proveAll(lineUp, server, wanted)
  lineUp.entrants[engine].push(enter(server, paths, bench.directory))
  return paths
}

async function proveAll(lineUp: LineUp, server: Server, wanted: readonly Workload[]) {
  for (const workload of wanted) {
    await orDash(lineUp, server.name, [workload], () => prove(server, workload))
    if (workload.syncDelayMs !== undefined && !server.syncs) {
      noteDash(
        lineUp,
        workload.name,
        server.name,
        'its syncs cannot be delayed without a C compiler',
      )
    }
  }
}

/** Does it, or notes its failure for all these workloads. */
async function orDash<T>(
  lineUp: LineUp,
  name: string,
  wanted: readonly Workload[],
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    const reason = error instanceof Wrong ? error.message : String(error).slice(0, 200)
    for (const workload of wanted) noteDash(lineUp, workload.name, name, reason)
    return undefined
  }
}

function stopLater({ stack }: Bench, server: Server): Server {
  stack.defer(server.stop)
  return server
}

function syncsOf({ directory, syncsLibrary }: Bench, name: string) {
  if (syncsLibrary === undefined) return undefined
  return watchSyncs(syncsLibrary, join(directory, `${fileNameOf(name)}.syncs`))
}

/** Of an address of PostgreSQL; nothing for a file. */
function databaseName(address: string): string {
  return URL.canParse(address) ? new URL(address).pathname.slice(1) : ''
}

function fileNameOf(name: string): string {
  return name.replaceAll(/\W+/g, '-')
}

const allIds = Array.from({ length: animals }, (_, index) => index + 1)
const walks = [
  { name: 'pages', filter: '', ids: allIds },
  {
    name: 'available',
    filter: '&status=available',
    ids: allIds.filter((id) => animalOf(id).status === 'available'),
  },
] as const

function animalPaths(): string[] {
  const random = new SeededRandom(1)
  return Array.from(
    { length: animalsAsked },
    () => `/v1/pets/${Math.floor(random.between(1, animals + 1))}`,
  )
}
