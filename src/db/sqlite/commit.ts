import { onceOnly } from '../once.ts'
import type { Once, Outcome, Transaction } from '../seam.ts'
import type { Connection } from './connection.ts'
import { failureOf } from './failures.ts'

export type Job = { name: string; input: unknown; once?: Once }

/** An outcome, or the text of a defect that hit this job alone. */
export type Answer = Outcome<unknown> | { defect: string }

export type Transactions = ReadonlyMap<string, Transaction<unknown, unknown>>

/** SQL around a run, by which what it did can be undone while what its neighbours did stays. */
type Mark = { set: string; keep: string; undo: string }

const savepoint: Mark = {
  set: 'savepoint run',
  keep: 'release run',
  undo: 'rollback to run; release run',
}

/** Without neighbours there is nothing that has to stay, and no page has to be kept as it was before the run. */
const wholeTransaction: Mark = { set: '', keep: '', undo: 'rollback; begin immediate' }

/** Neighbours of the same name, as far as their transaction allows it. */
type Run = { transaction: Transaction<unknown, unknown>; inputs: unknown[] }

/**
 * Runs all jobs in order of arrival inside one transaction and commits once. A job that refuses or
 * fails does not undo its neighbours. Throws when the database itself failed: then none is known to be stored.
 */
export async function commitTogether(
  connection: Connection,
  transactions: Transactions,
  jobs: readonly Job[],
): Promise<Answer[]> {
  const runs = runsOf(transactions, jobs)
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

function runsOf(transactions: Transactions, jobs: readonly Job[]): Run[] {
  const runs: Run[] = []
  for (const { name, input, once } of jobs) {
    const found = transactions.get(name)
    if (!found) throw new Error(`No transaction is called ${name}.`)
    const transaction = once ? onceOnly(found, once) : found
    const last = runs.at(-1)
    if (transaction.together && last?.transaction === transaction) last.inputs.push(input)
    else runs.push({ transaction, inputs: [input] })
  }
  return runs
}

async function runMarked(
  connection: Connection,
  { transaction, inputs }: Run,
  mark: Mark,
): Promise<Answer[]> {
  connection.exec(mark.set)
  try {
    const outcomes = await transaction.run(connection, inputs)
    if (outcomes.length !== inputs.length)
      throw new Error(`${transaction.name} left an input without an outcome.`)
    const isUndone = !transaction.together && outcomes.some((outcome) => 'refusal' in outcome)
    connection.exec(isUndone ? mark.undo : mark.keep)
    return outcomes
  } catch (error) {
    if (failureOf(error) || !connection.isTransaction) throw error
    connection.exec(mark.undo)
    if (inputs.length === 1) return [{ defect: describe(error) }]
    const alone: Answer[] = []
    for (const input of inputs) {
      alone.push(...(await runMarked(connection, { transaction, inputs: [input] }, savepoint)))
    }
    return alone
  }
}

function rollback(connection: Connection) {
  try {
    if (connection.isTransaction) connection.exec('rollback')
  } catch {
    // The transaction is gone with its connection, which the caller gives up.
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
