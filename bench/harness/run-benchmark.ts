import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type PostgresServer, startPostgres } from '../../test/support/postgres.ts'
import { settingsFor, startService } from '../../test/support/process.ts'
import type { Results } from '../results.ts'
import type { Workload } from '../workloads.ts'
import { type Entrant, entrantsOf, type LineUp } from './entrant.ts'
import {
  type Bench,
  lineUpPostgres,
  lineUpSqlite,
  makeTemplate,
  startContender,
  startOursOn,
} from './line-up.ts'
import { runLong } from './long-run.ts'
import { describeMachine, describeVersions } from './machine.ts'
import { countingEnv, countOnPostgres, countOnSqlite } from './requests-per-query.ts'
import { type Plan, runRounds } from './rounds.ts'
import { demandShortLog } from './server.ts'
import { type Store, timeStarts } from './starts.ts'

const fastify = 'Fastify + node:sqlite'

type Settings = {
  plan: Plan
  longRun: { requests: number; stepMs: number }
  isQuick: boolean
  /** Whether only some workloads run, and neither starts nor memory are looked at. */
  isPart: boolean
}

/** Runs the workloads on everyone who takes part, and all that is measured beside them. */
export async function runBenchmark(
  bench: Bench,
  chosen: readonly Workload[],
  { plan, longRun, isQuick, isPart }: Settings,
): Promise<Results> {
  const lineUp: LineUp = { entrants: { sqlite: [], postgres: [] }, dashes: {} }
  const template = await makeTemplate(bench)
  await lineUpSqlite(bench, lineUp, template, chosen)
  const postgres = await postgresFor(bench, chosen)
  if (postgres) await lineUpPostgres(bench, lineUp, postgres, chosen)
  for (const [workload, names] of Object.entries(lineUp.dashes)) {
    for (const [name, reason] of Object.entries(names))
      bench.say(`– ${workload}, ${name}: ${reason}`)
  }

  const store = isPart ? undefined : await storeToStart(bench, template)
  const startMs: Results['startMs'] = {}
  const windows = await runRounds(lineUp, chosen, plan, async (round) => {
    bench.say(round === 0 ? 'warming up' : `round ${round} of ${plan.rounds}`)
    if (round > 0 && store) await addStarts(startMs, store)
  })
  const counted = await countQueries(bench, lineUp, { template, postgres, chosen, plan })
  if (!isPart) bench.say(`${longRun.requests.toLocaleString('en')} requests each, for the memory`)
  return {
    madeOn: new Date().toISOString().slice(0, 10),
    isQuick,
    machine: describeMachine(bench.directory),
    versions: describeVersions(bench.bun),
    windows,
    requestsPerQuery: counted,
    startMs,
    longRuns: isPart ? {} : await runLongFresh(bench, lineUp, template, longRun),
    dashes: lineUp.dashes,
  }
}

/** What the server does for itself, at times of its own, would fall into somebody's window. */
const withoutHousekeeping = [
  ...['-c', 'autovacuum=off'],
  ...['-c', 'checkpoint_timeout=1h'],
  ...['-c', 'max_wal_size=16GB'],
]

async function postgresFor({ stack, say }: Bench, chosen: readonly Workload[]) {
  if (!chosen.some(({ engine }) => engine === 'postgres')) return undefined
  say('starting PostgreSQL')
  const postgres = await startPostgres(withoutHousekeeping)
  stack.defer(postgres.stop)
  const { rows } = await postgres.query(
    "select current_setting('fsync') || current_setting('synchronous_commit') as durability",
  )
  if (rows[0].durability !== 'onon') throw new Error('PostgreSQL does not sync its commits.')
  return postgres
}

/** A store that has its key, and ended in order. */
async function storeToStart({ directory }: Bench, template: string): Promise<Store> {
  const own = join(directory, 'starts')
  mkdirSync(own)
  copyFileSync(template, join(own, 'petstore.db'))
  const service = await startService({ env: settingsFor(own) })
  await service.stop()
  return { directory: own, key: service.key }
}

async function addStarts(startMs: Results['startMs'], store: Store): Promise<void> {
  for (const [name, ms] of Object.entries(await timeStarts(store))) {
    startMs[name] = [...(startMs[name] ?? []), ms]
  }
}

type Counting = {
  template: string
  postgres: PostgresServer | undefined
  chosen: readonly Workload[]
  plan: Plan
}

async function countQueries(
  bench: Bench,
  lineUp: LineUp,
  { template, postgres, chosen, plan: { windowMs } }: Counting,
): Promise<Results['requestsPerQuery']> {
  bench.say('counting queries')
  const file = join(bench.directory, 'queries')
  const counted = await startOursOn(bench, template, 'counted', countingEnv(file))
  const ours = entrantNamed(lineUp, 'ours')
  const onSqlite = await countOnSqlite({ ...ours, server: counted }, file, chosen, windowMs)
  await counted.stop()
  if (!postgres) return onSqlite
  const [first] = chosen.filter(({ engine }) => engine === 'postgres')
  const entrants = first ? entrantsOf(lineUp, first) : []
  return { ...onSqlite, ...(await countOnPostgres(entrants, postgres, chosen, windowMs)) }
}

/** Both begin anew, so that the memory is that of this load alone. */
async function runLongFresh(
  bench: Bench,
  lineUp: LineUp,
  template: string,
  longRun: Settings['longRun'],
): Promise<Results['longRuns']> {
  const started = [
    [await startOursOn(bench, template, 'ours for long'), entrantNamed(lineUp, 'ours')],
    [await startContender(bench, fastify, `${fastify} for long`), entrantNamed(lineUp, fastify)],
  ] as const
  const entrants = started.map(([server, { server: namesake, files }]) => ({
    server: { ...server, name: namesake.name },
    files,
  }))
  const runs = await runLong(entrants, longRun)
  for (const { server } of entrants) demandShortLog(server)
  return runs
}

function entrantNamed({ entrants }: LineUp, name: string): Entrant {
  const entrant = entrants.sqlite.find(({ server }) => server.name === name)
  if (!entrant) throw new Error(`${name} did not take part.`)
  return entrant
}
