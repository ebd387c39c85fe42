import { type PostgresServer, startPostgres } from '../../test/processes/postgres.ts'
import type { Results } from '../results.ts'
import type { Workload } from '../workloads.ts'
import { describeMachine, describeVersions } from './machine.ts'
import { countOnPostgres, countOnSqlite } from './requests-per-query.ts'
import { type Plan, runRounds } from './rounds.ts'
import { type Bench, makeTemplate, startOnPostgres, startOnSqlite } from './start-participants.ts'

/** Starts and checks all participants, then measures these workloads. */
export async function runBenchmark(
  bench: Bench,
  chosen: readonly Workload[],
  plan: Plan,
): Promise<Results> {
  const onSqlite = chosen.filter(({ engine }) => engine === 'sqlite')
  const onPostgres = chosen.filter(({ engine }) => engine === 'postgres')
  const template = await makeTemplate(bench)
  const sqlite = onSqlite.length > 0 ? await startOnSqlite(bench, template, onSqlite) : []
  const server = onPostgres.length > 0 ? await ownPostgres(bench) : undefined
  const postgres = server ? await startOnPostgres(bench, server, onPostgres) : []
  const { windowMs } = plan
  const rounds = await runRounds({ sqlite, postgres }, chosen, plan)
  const measured = {
    madeOn: new Date().toISOString().slice(0, 10),
    machine: describeMachine(bench.directory),
    versions: describeVersions(),
    ...rounds,
  }
  if (bench.against !== undefined || bench.isObserved) return { ...measured, requestsPerQuery: {} }
  console.log('counting requests per query')
  const [ours] = sqlite
  return {
    ...measured,
    requestsPerQuery: {
      ...(ours && (await countOnSqlite(bench, template, ours, onSqlite, windowMs))),
      ...(server && (await countOnPostgres(postgres, server, onPostgres, windowMs))),
    },
  }
}

/** Autovacuum and checkpoints are off while measuring: they would count for whichever window they fall into. */
export const withoutHousekeeping = [
  ...['-c', 'autovacuum=off'],
  ...['-c', 'checkpoint_timeout=1h'],
  ...['-c', 'max_wal_size=16GB'],
]

async function ownPostgres({ stack }: Bench): Promise<PostgresServer> {
  console.log('starting PostgreSQL')
  const postgres = await startPostgres(withoutHousekeeping)
  stack.defer(postgres.stop)
  const { rows } = await postgres.query(
    "select current_setting('fsync') || current_setting('synchronous_commit') as durability",
  )
  if (rows[0].durability !== 'onon') throw new Error('PostgreSQL does not sync its commits.')
  return postgres
}
