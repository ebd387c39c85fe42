import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresServer } from '../../test/processes/postgres.ts'
import type { Results } from '../results.ts'
import type { Workload } from '../workloads.ts'
import { loadOf, type Participant } from './measure.ts'
import type { Server } from './server.ts'
import { type Bench, startOursOn } from './start-participants.ts'
import { runWrk } from './wrk.ts'

/** PostgreSQL publishes a session's statistics after it has been idle for 10 s. */
const publishedAfterMs = 11_000

/** How many reads one query of our service answers on SQLite. Counts with an instance of its own, since the counter costs time. */
export async function countOnSqlite(
  bench: Bench,
  template: string,
  { files }: Participant,
  workloads: readonly Workload[],
  durationMs: number,
): Promise<Results['requestsPerQuery']> {
  const counter = join(import.meta.dirname, 'count-queries.ts')
  const file = join(bench.directory, 'queries')
  const env = { NODE_OPTIONS: `--import=${counter}`, BENCH_QUERIES: file }
  const server = await startOursOn(bench, template, 'counted', { env })
  const found: Results['requestsPerQuery'] = {}
  for (const workload of workloads) {
    if (workload.writeShare > 0 || workload.syncDelayMs !== undefined) continue
    const before = await queriesOf(server, file)
    const { answers } = await runWrk({ ...loadOf({ server, files }, workload), durationMs })
    found[workload.name] = { ours: answers / ((await queriesOf(server, file)) - before) }
  }
  return found
}

async function queriesOf({ pid }: Server, file: string): Promise<number> {
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') await sleep(1)
  return Number(readFileSync(file, 'utf8'))
}

/** How many requests one transaction answers on PostgreSQL, from the server's statistics per database. */
export async function countOnPostgres(
  participants: readonly Participant[],
  postgres: PostgresServer,
  workloads: readonly Workload[],
  durationMs: number,
): Promise<Results['requestsPerQuery']> {
  const found: Results['requestsPerQuery'] = {}
  await sleep(publishedAfterMs)
  for (const workload of workloads) {
    if (!workload.hasContenders) continue
    const before = await transactionsOf(postgres)
    const answers: number[] = []
    for (const participant of participants) {
      answers.push((await runWrk({ ...loadOf(participant, workload), durationMs })).answers)
    }
    await sleep(publishedAfterMs)
    const after = await transactionsOf(postgres)
    found[workload.name] = Object.fromEntries(
      participants.map(({ server: { name, database = '' } }, index) => {
        const transactions = (after[database] ?? 0) - (before[database] ?? 0)
        return [name, (answers[index] ?? 0) / transactions]
      }),
    )
  }
  return found
}

async function transactionsOf(postgres: PostgresServer): Promise<Record<string, number>> {
  const { rows } = await postgres.query('select datname, xact_commit from pg_stat_database')
  return Object.fromEntries(rows.map((row) => [row.datname, Number(row.xact_commit)]))
}
