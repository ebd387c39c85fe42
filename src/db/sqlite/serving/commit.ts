import { performance } from '../../../timers.ts'
import type { Log, Outcome, Sql, Write } from '../../db.ts'
import { Refusal } from '../../errors.ts'
import type { ChangeCounts, CommitTimes } from '../../on-commit.ts'
import type { Storage } from '../../storage.ts'
import { countChanges, type Job, type Ran, runWrite } from '../../writes/run-write.ts'
import type { Connection } from '../connection.ts'
import { failureOf } from '../failures.ts'

/** A job for the writer, and the name of its write. */
export type NamedJob = Job & { name: string }

/** A job's value, or its refusal or failure. Plain data, since it crosses threads. */
export type Settled =
  | Exclude<Ran, { refusal: unknown }>
  | { refusal: Pick<Refusal, 'code' | 'message' | 'details'> }
  | { defect: string }

/** The jobs of a commit, the changes that they made, and when it began, on the clock of `instantMs`. */
export type Committed = {
  settled: Settled[]
  changed: ChangeCounts
  commit: CommitTimes
  beganMs: number
}

/** Writes by name, and what stores the changes that they record. */
export type Writes = { named: ReadonlyMap<string, Write<unknown, unknown>>; log: Log | undefined }

/** The writes of a storage. */
export function writesOf({ writes, log }: Storage): Writes {
  return { named: new Map(writes.map((write) => [write.name, write])), log }
}

/** Adjacent jobs of one write. */
type Run = { write: Write<unknown, unknown>; jobs: Job[]; log: Log | undefined }

/** What is rolled back where a run fails. A single run needs no savepoint, and so no copies of the pages before it. */
type UndoScope = 'transaction' | 'savepoint'

/**
 * Runs all jobs in order of arrival inside one transaction and commits once. A job that refuses or fails does not roll
 * back the others. `steps` are called inside the transaction, first and last. Throws when the database fails: then nothing
 * is acknowledged.
 */
export async function commitBatch(
  connection: Connection,
  writes: Writes,
  jobs: readonly NamedJob[],
  steps: { first?(): void; last?(): void } = {},
): Promise<Committed> {
  const runs = runsOf(writes, jobs)
  const scope = runs.length === 1 ? 'transaction' : 'savepoint'
  const beganMs = performance.now()
  connection.exec('begin immediate')
  try {
    steps.first?.()
    const settled: Settled[] = []
    const changed = new Map<string, number>()
    for (const run of runs) settled.push(...(await runUndoable(connection, run, scope, changed)))
    steps.last?.()
    const endedMs = performance.now()
    connection.exec('commit')
    const statementsMs = endedMs - beganMs
    const commitMs = performance.now() - endedMs
    const commit = { inputs: jobs.length, statementsMs, commitMs }
    return { settled, changed, commit, beganMs: performance.timeOrigin + beganMs }
  } catch (error) {
    rollback(connection)
    throw error
  }
}

function runsOf(writes: Writes, jobs: readonly NamedJob[]): Run[] {
  const runs: Run[] = []
  for (const { name, ...job } of jobs) {
    const write = writes.named.get(name)
    if (!write) throw new Error(`No write is called ${name}.`)
    const last = runs.at(-1)
    if (last?.write === write) last.jobs.push(job)
    else runs.push({ write, jobs: [job], log: writes.log })
  }
  return runs
}

async function runUndoable(
  connection: Connection,
  { write, jobs, log }: Run,
  scope: UndoScope,
  changed: Map<string, number>,
): Promise<Settled[]> {
  if (scope === 'savepoint') connection.exec('savepoint run')
  try {
    const { ran, changed: made } = await runWrite(write, txOn(connection), jobs, { log })
    if (scope === 'savepoint') connection.exec('release run')
    for (const [type, count] of made) countChanges(changed, type, count)
    return ran.map((one) => ('refusal' in one ? describe(one.refusal) : one))
  } catch (error) {
    if (failureOf(error) || !connection.isTransaction) throw error
    connection.exec(
      scope === 'savepoint' ? 'rollback to run; release run' : 'rollback; begin immediate',
    )
    if (jobs.length === 1) return [describe(error)]
    const alone: Settled[] = []
    for (const job of jobs) {
      const run = { write, jobs: [job], log }
      alone.push(...(await runUndoable(connection, run, 'savepoint', changed)))
    }
    return alone
  }
}

/** A `Tx` without `record` and `create`. */
function txOn(connection: Connection) {
  const sql: Sql = connection
  return {
    ...sql,
    last: sql,
    async attempt<V>(work: () => Promise<V>): Promise<Outcome<V>> {
      connection.exec('savepoint input')
      try {
        const value = await work()
        connection.exec('release input')
        return { value }
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        connection.exec('rollback to input; release input')
        return { refusal: error }
      }
    },
  }
}

/**
 * The jobs of a batch as an array for each member: threads copy these in half the time of objects for each job, and an actor
 * of several jobs once.
 */
export type PackedJobs = ReturnType<typeof packJobs>

export function packJobs(jobs: readonly NamedJob[]) {
  return {
    names: jobs.map(({ name }) => name),
    inputs: jobs.map(({ input }) => input),
    claims: jobs.map(({ claim }) => claim),
    actors: jobs.map(({ origin }) => origin?.actor),
    nows: jobs.map(({ origin }) => origin?.now ?? 0),
    requestIds: jobs.map(({ origin }) => origin?.requestId),
    traceparents: jobs.map(({ origin }) => origin?.traceparent),
  }
}

export function unpackJobs(packed: PackedJobs): NamedJob[] {
  const { names, inputs, claims, actors, nows, requestIds, traceparents } = packed
  return names.map((name, index) => {
    const actor = actors[index]
    const { [index]: now = 0 } = nows
    const [requestId, traceparent] = [requestIds[index], traceparents[index]]
    return {
      name,
      input: inputs[index],
      claim: claims[index],
      origin: actor && { actor, now, requestId, traceparent },
    }
  })
}

function rollback(connection: Connection) {
  try {
    if (connection.isTransaction) connection.exec('rollback')
  } catch {
    // The caller drops the connection, which ends the transaction.
  }
}

function describe(error: unknown): Settled {
  if (error instanceof Refusal) {
    const { code, message, details } = error
    return { refusal: { code, message, details } }
  }
  return { defect: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
