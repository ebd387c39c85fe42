import { Refusal } from '../errors.ts'
import { onceOnly } from '../once.ts'
import { runMany, runOne } from '../run-one.ts'
import type { Once, Write } from '../seam.ts'
import type { Connection } from './connection.ts'
import { failureOf } from './failures.ts'

export type Job = { name: string; input: unknown; once?: Once }

/** A value, or why there is none: the text of a defect hit this job alone. Plain data: it crosses threads. */
export type Answer =
  | { value: unknown }
  | { refusal: Pick<Refusal, 'code' | 'message'> }
  | { unavailable: string }
  | { defect: string }

export type Writes = ReadonlyMap<string, Write<unknown, unknown>>

/** SQL around a run, by which what it did can be undone while what its neighbours did stays. */
type Mark = { set: string; keep: string; undo: string }

const savepoint: Mark = {
  set: 'savepoint run',
  keep: 'release run',
  undo: 'rollback to run; release run',
}

/** Without neighbours there is nothing that has to stay, and no page has to be kept as it was before the run. */
const wholeTransaction: Mark = { set: '', keep: '', undo: 'rollback; begin immediate' }

/** One input, or neighbours of one batch. */
type Run = { write: Write<unknown, unknown>; inputs: unknown[] }

/**
 * Runs all jobs in order of arrival inside one transaction and commits once. A job that refuses or
 * fails does not undo its neighbours. Throws when the database itself failed: then none is known to be stored.
 */
export async function commitTogether(
  connection: Connection,
  writes: Writes,
  jobs: readonly Job[],
): Promise<Answer[]> {
  const runs = runsOf(writes, jobs)
  const mark = runs.length === 1 ? wholeTransaction : savepoint
  connection.exec('begin immediate')
  try {
    const answers: Answer[] = []
    for (const run of runs) answers.push(...(await runMarked(connection, run, mark)))
    connection.exec('commit')
    return answers
  } catch (error) {
    rollback(connection)
    throw error
  }
}

function runsOf(writes: Writes, jobs: readonly Job[]): Run[] {
  const runs: Run[] = []
  for (const { name, input, once } of jobs) {
    const found = writes.get(name)
    if (!found) throw new Error(`No write is called ${name}.`)
    const write = once ? onceOnly(found, once) : found
    const last = runs.at(-1)
    if ('runMany' in write && last?.write === write) last.inputs.push(input)
    else runs.push({ write, inputs: [input] })
  }
  return runs
}

async function runMarked(connection: Connection, run: Run, mark: Mark): Promise<Answer[]> {
  connection.exec(mark.set)
  try {
    const values = await valuesOf(connection, run)
    connection.exec(mark.keep)
    return values.map((value) => ({ value }))
  } catch (error) {
    if (failureOf(error) || !connection.isTransaction) throw error
    connection.exec(mark.undo)
    const { write, inputs } = run
    if (inputs.length === 1) return [describe(error)]
    const alone: Answer[] = []
    for (const input of inputs) {
      alone.push(...(await runMarked(connection, { write, inputs: [input] }, savepoint)))
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
