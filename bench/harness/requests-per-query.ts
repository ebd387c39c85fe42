import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresServer } from '../../test/support/postgres.ts'
import type { Results } from '../results.ts'
import type { Workload } from '../workloads.ts'
import { type Entrant, loadOf } from './entrant.ts'
import type { Server } from './server.ts'
import { runWrk } from './wrk.ts'

/** PostgreSQL publishes what a session did when that has been idle for so long. */
const publishedAfterMs = 11_000

/** What our service has to be started with so that its queries can be counted. */
export function countingEnv(file: string): Record<string, string> {
  const program = join(import.meta.dirname, 'count-queries.ts')
  return { NODE_OPTIONS: `--import=${program}`, BENCH_QUERIES: file }
}

/** How many reads one statement of our service answers on SQLite, in a window of each workload. */
export async function countOnSqlite(
  entrant: Entrant,
  file: string,
  workloads: readonly Workload[],
  durationMs: number,
): Promise<Results['requestsPerQuery']> {
  const found: Results['requestsPerQuery'] = {}
  for (const workload of workloads) {
    const { name, createShare, engine, syncDelayMs } = workload
    if (engine !== 'sqlite' || createShare > 0 || syncDelayMs !== undefined) continue
    const before = await queriesOf(entrant.server, file)
    const { answers } = await runWrk({ ...loadOf(entrant, workload), durationMs })
    const queries = (await queriesOf(entrant.server, file)) - before
    found[name] = { ours: answers / queries }
  }
  return found
}

async function queriesOf({ pid }: Server, file: string): Promise<number> {
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') await sleep(1)
  return Number(readFileSync(file, 'utf8'))
}

/** How many requests one transaction answers on PostgreSQL, by the server's own count for each database. */
export async function countOnPostgres(
  entrants: readonly Entrant[],
  postgres: PostgresServer,
  workloads: readonly Workload[],
  durationMs: number,
): Promise<Results['requestsPerQuery']> {
  const found: Results['requestsPerQuery'] = {}
  await sleep(publishedAfterMs)
  let before = await transactionsOf(postgres)
  for (const workload of workloads) {
    const { name, engine } = workload
    if (engine !== 'postgres') continue
    const answers = new Map<string, number>()
    for (const entrant of entrants) {
      const { database } = entrant.server
      answers.set(database, (await runWrk({ ...loadOf(entrant, workload), durationMs })).answers)
    }
    await sleep(publishedAfterMs)
    const after = await transactionsOf(postgres)
    found[name] = Object.fromEntries(
      entrants.map(({ server: { name, database } }) => [
        name,
        (answers.get(database) ?? 0) / ((after.get(database) ?? 0) - (before.get(database) ?? 0)),
      ]),
    )
    before = after
  }
  return found
}

async function transactionsOf(postgres: PostgresServer): Promise<Map<string, number>> {
  const { rows } = await postgres.query('select datname, xact_commit from pg_stat_database')
  return new Map(rows.map(({ datname, xact_commit }) => [datname, Number(xact_commit)]))
}
