import { type PostgresServer, startPostgres } from '../../test/processes/postgres.ts'
import type { Results } from '../results.ts'
import { interleave } from '../rounds.ts'
import { takesPart, type Workload } from '../workloads.ts'
import { describeMachine, describeVersions } from './machine.ts'
import { measure, type Participant } from './measure.ts'
import { requireShortLog } from './server.ts'
import { type Bench, makeTemplate, startOnPostgres, startOnSqlite } from './start-participants.ts'
import { LoadFailed } from './wrk.ts'

type Plan = { rounds: number; windowMs: number; warmUpMs: number }
type Participants = Record<Workload['engine'], readonly Participant[]>

/** Starts and checks all participants, then measures these workloads. */
export async function runBenchmark(
  bench: Bench,
  chosen: readonly Workload[],
  plan: Plan,
): Promise<Results> {
  const onSqlite = chosen.filter(({ engine }) => engine === 'sqlite')
  const onPostgres = chosen.filter(({ engine }) => engine === 'postgres')
  const template = onSqlite.length > 0 ? await makeTemplate(bench) : ''
  const sqlite = onSqlite.length > 0 ? await startOnSqlite(bench, template, onSqlite) : []
  const server = onPostgres.length > 0 ? await ownPostgres(bench) : undefined
  const postgres = server ? await startOnPostgres(bench, server, onPostgres) : []
  const rounds = await runRounds({ sqlite, postgres }, chosen, plan)
  return {
    madeOn: new Date().toISOString().slice(0, 10),
    machine: describeMachine(bench.directory),
    versions: describeVersions(),
    ...rounds,
  }
}

/** Measures each participant once per round and workload. With a warm-up, round 0 is measured but not kept. */
async function runRounds(
  participants: Participants,
  chosen: readonly Workload[],
  { rounds, windowMs, warmUpMs }: Plan,
): Promise<Pick<Results, 'windows' | 'skips'>> {
  const windows: Results['windows'] = Object.fromEntries(chosen.map(({ name }) => [name, {}]))
  const skips: Results['skips'] = {}
  const turns = interleave(chosen, (workload) => participantsIn(participants, workload), {
    first: warmUpMs > 0 ? 0 : 1,
    last: rounds,
    onRound: (round) => console.log(round === 0 ? 'warming up' : `round ${round} of ${rounds}`),
  })
  for (const { round, row: workload, side: participant } of turns) {
    const { [workload.name]: measured = {} } = windows
    const { name } = participant.server
    if (skips[workload.name]?.[name] !== undefined) continue
    try {
      const window = await measure(participant, workload, round === 0 ? warmUpMs : windowMs)
      if (round > 0) measured[name] = [...(measured[name] ?? []), window]
    } catch (error) {
      if (!(error instanceof LoadFailed)) throw error
      skips[workload.name] = { ...skips[workload.name], [name]: error.message }
      delete measured[name]
    }
    if (workload.engine === 'sqlite') requireShortLog(participant.server)
  }
  return { windows, skips }
}

function participantsIn(participants: Participants, workload: Workload) {
  return participants[workload.engine].filter(({ server }) => takesPart(server.name, workload))
}

/** Autovacuum and checkpoints are off while measuring: they would count for whichever window they fall into. */
const withoutHousekeeping = ['autovacuum=off', 'checkpoint_timeout=1h', 'max_wal_size=16GB']

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
