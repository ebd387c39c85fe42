import type { Outcome, Sql, Write } from '../../db.ts'
import { Refusal } from '../../errors.ts'
import {
  type CommitTimes,
  type CommittedBatch,
  changesOf,
  type Job,
  type Ran,
  runWrite,
} from '../../run-write.ts'
import type { Connection } from '../connection.ts'
import { failureOf } from '../failures.ts'

/** A job for the writer, and the name of its write. */
export type NamedJob = Job & { name: string }

/** A job's value and changes, or its refusal or failure. Plain data, since it crosses threads. */
export type Settled =
  | Exclude<Ran, { refusal: unknown }>
  | { refusal: Pick<Refusal, 'code' | 'message'> }
  | { defect: string }

export type Committed = { settled: Settled[]; commit: CommitTimes }

export type Writes = ReadonlyMap<string, Write<unknown, unknown>>

/** The SQL that lets one run be rolled back without the others. */
type UndoScope = { begin: string; release: string; rollback: string }

const savepoint: UndoScope = {
  begin: 'savepoint run',
  release: 'release run',
  rollback: 'rollback to run; release run',
}

/** A single run needs no savepoint, and so no copies of the pages before it. */
const wholeTransaction: UndoScope = {
  begin: '',
  release: '',
  rollback: 'rollback; begin immediate',
}

/** Adjacent jobs of one write. */
type Run = { write: Write<unknown, unknown>; jobs: Job[] }

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
  const scope = runs.length === 1 ? wholeTransaction : savepoint
  const beganMs = performance.now()
  connection.exec('begin immediate')
  try {
    steps.first?.()
    const settled: Settled[] = []
    for (const run of runs) settled.push(...(await runUndoable(connection, run, scope)))
    steps.last?.()
    const endedMs = performance.now()
    connection.exec('commit')
    const statementsMs = endedMs - beganMs
    const commitMs = performance.now() - endedMs
    return { settled, commit: { inputs: jobs.length, statementsMs, commitMs } }
  } catch (error) {
    rollback(connection)
    throw error
  }
}

function runsOf(writes: Writes, jobs: readonly NamedJob[]): Run[] {
  const runs: Run[] = []
  for (const { name, ...job } of jobs) {
    const write = writes.get(name)
    if (!write) throw new Error(`No write is called ${name}.`)
    const last = runs.at(-1)
    if (last?.write === write) last.jobs.push(job)
    else runs.push({ write, jobs: [job] })
  }
  return runs
}

async function runUndoable(
  connection: Connection,
  { write, jobs }: Run,
  scope: UndoScope,
): Promise<Settled[]> {
  connection.exec(scope.begin)
  try {
    const ran = await runWrite(write, txOn(connection), jobs)
    connection.exec(scope.release)
    return ran.map((one) => ('refusal' in one ? describe(one.refusal) : one))
  } catch (error) {
    if (failureOf(error) || !connection.isTransaction) throw error
    connection.exec(scope.rollback)
    if (jobs.length === 1) return [describe(error)]
    const alone: Settled[] = []
    for (const job of jobs) {
      alone.push(...(await runUndoable(connection, { write, jobs: [job] }, savepoint)))
    }
    return alone
  }
}

/** A `Tx` without `record`. */
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

/** Describes a batch that was sent then; `pending`: how many inputs are sent or wait, those of the batch among them. */
export function describeBatch(
  jobs: readonly NamedJob[],
  { settled, commit }: Committed,
  { sentMs, pending }: { sentMs: number; pending: number },
): CommittedBatch {
  return {
    origins: jobs.map(({ origin }) => origin),
    changes: changesOf(settled),
    commit,
    waiting: pending - jobs.length,
    waitedMs: performance.now() - sentMs - commit.statementsMs - commit.commitMs,
  }
}

function rollback(connection: Connection) {
  try {
    if (connection.isTransaction) connection.exec('rollback')
  } catch {
    // The caller drops the connection, which ends the transaction.
  }
}

function describe(error: unknown): Settled {
  if (error instanceof Refusal) return { refusal: { code: error.code, message: error.message } }
  return { defect: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
