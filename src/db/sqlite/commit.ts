import type { IdempotencyClaim, Write } from '../db.ts'
import { Refusal } from '../errors.ts'
import { idempotent } from '../idempotency.ts'
import { runMany, runOne } from '../run-one.ts'
import type { Connection } from './connection.ts'
import { failureOf } from './failures.ts'

export type Job = { name: string; input: unknown; claim?: IdempotencyClaim }

/** A value, or why there is none: the text of a defect hit this job alone. Plain data: it crosses threads. */
export type Answer =
  | { value: unknown }
  | { refusal: Pick<Refusal, 'code' | 'message'> }
  | { unavailable: string }
  | { defect: string }

export type Writes = ReadonlyMap<string, Write<unknown, unknown>>

/** SQL around a run, by which what it did can be undone while what its neighbours did stays. */
type UndoScope = { begin: string; release: string; rollback: string }

const savepoint: UndoScope = {
  begin: 'savepoint run',
  release: 'release run',
  rollback: 'rollback to run; release run',
}

/** Without neighbours there is nothing that has to stay, and no page has to be kept as it was before the run. */
const wholeTransaction: UndoScope = {
  begin: '',
  release: '',
  rollback: 'rollback; begin immediate',
}

/** One input, or neighbours of one batch. */
type Run = { write: Write<unknown, unknown>; inputs: unknown[] }

/**
 * Runs all jobs in order of arrival inside one transaction and commits once. A job that refuses or
 * fails does not undo its neighbours. Throws when the database itself failed: then none is known to be stored.
 */
export async function commitBatch(
  connection: Connection,
  writes: Writes,
  jobs: readonly Job[],
): Promise<Answer[]> {
  const runs = runsOf(writes, jobs)
  const scope = runs.length === 1 ? wholeTransaction : savepoint
  connection.exec('begin immediate')
  try {
    const answers: Answer[] = []
    for (const run of runs) answers.push(...(await runUndoable(connection, run, scope)))
    connection.exec('commit')
    return answers
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

async function runUndoable(connection: Connection, run: Run, scope: UndoScope): Promise<Answer[]> {
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
    const alone: Answer[] = []
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
    // The transaction is gone with its connection, which the caller gives up.
  }
}

function describe(error: unknown): Answer {
  if (error instanceof Refusal) return { refusal: { code: error.code, message: error.message } }
  return { defect: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
