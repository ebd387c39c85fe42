import type { IdempotencyClaim, Write } from '../../db.ts'
import { Refusal } from '../../errors.ts'
import { idempotent } from '../../idempotency.ts'
import { runMany, runOne } from '../../run-one.ts'
import type { Connection } from '../connection.ts'
import { failureOf } from '../failures.ts'

export type Job = { name: string; input: unknown; claim?: IdempotencyClaim }

/** A job's value, or why there is none. Plain data, since it crosses threads. */
export type Outcome =
  | { value: unknown }
  | { refusal: Pick<Refusal, 'code' | 'message'> }
  | { unavailable: string }
  | { defect: string }

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

/** One input, or adjacent inputs of one batch. */
type Run = { write: Write<unknown, unknown>; inputs: unknown[] }

/**
 * Runs all jobs in order of arrival inside one transaction and commits once. A job that refuses or fails does not roll
 * back the others. `steps` are called inside the transaction, first and last. Throws when the database fails: then nothing
 * is acknowledged.
 */
export async function commitBatch(
  connection: Connection,
  writes: Writes,
  jobs: readonly Job[],
  steps: { first?(): void; last?(): void } = {},
): Promise<Outcome[]> {
  const runs = runsOf(writes, jobs)
  const scope = runs.length === 1 ? wholeTransaction : savepoint
  connection.exec('begin immediate')
  try {
    steps.first?.()
    const outcomes: Outcome[] = []
    for (const run of runs) outcomes.push(...(await runUndoable(connection, run, scope)))
    steps.last?.()
    connection.exec('commit')
    return outcomes
  } catch (error) {
    rollback(connection)
    throw error
  }
}

function runsOf(writes: Writes, jobs: readonly Job[]): Run[] {
  const runs: Run[] = []
  for (const { name, input, claim } of jobs) {
    const found = writes.get(name)
    if (!found) throw new Error(`No write is called ${name}.`)
    const write = claim ? idempotent(found, claim) : found
    const last = runs.at(-1)
    if ('runMany' in write && last?.write === write) last.inputs.push(input)
    else runs.push({ write, inputs: [input] })
  }
  return runs
}

async function runUndoable(connection: Connection, run: Run, scope: UndoScope): Promise<Outcome[]> {
  connection.exec(scope.begin)
  try {
    const values = await valuesOf(connection, run)
    connection.exec(scope.release)
    return values.map((value) => ({ value }))
  } catch (error) {
    if (failureOf(error) || !connection.isTransaction) throw error
    connection.exec(scope.rollback)
    const { write, inputs } = run
    if (inputs.length === 1) return [describe(error)]
    const alone: Outcome[] = []
    for (const input of inputs) {
      alone.push(...(await runUndoable(connection, { write, inputs: [input] }, savepoint)))
    }
    return alone
  }
}

async function valuesOf(connection: Connection, { write, inputs }: Run): Promise<unknown[]> {
  return 'runMany' in write
    ? runMany(write, connection, inputs)
    : [await runOne(write, connection, inputs[0])]
}

function rollback(connection: Connection) {
  try {
    if (connection.isTransaction) connection.exec('rollback')
  } catch {
    // The caller drops the connection, which ends the transaction.
  }
}

function describe(error: unknown): Outcome {
  if (error instanceof Refusal) return { refusal: { code: error.code, message: error.message } }
  return { defect: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
