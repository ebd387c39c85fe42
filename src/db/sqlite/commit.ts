import { onceOnly } from '../once.ts'
import type { Once, Outcome, Transaction } from '../seam.ts'
import type { Connection } from './connection.ts'
import { failureOf } from './failures.ts'

export type Job = { name: string; input: unknown; once?: Once }

/** An outcome, or the text of a defect that hit this job alone. */
export type Answer = Outcome<unknown> | { defect: string }

export type Transactions = ReadonlyMap<string, Transaction<unknown, unknown>>

/**
 * Runs all jobs in order of arrival inside one transaction and commits once. A job that refuses or
 * fails does not undo its neighbours. Throws when the database itself failed: then none is known to be stored.
 */
export async function commitTogether(
  connection: Connection,
  transactions: Transactions,
  jobs: readonly Job[],
): Promise<Answer[]> {
  connection.exec('begin immediate')
  try {
    const answers: Answer[] = []
    for (const { transaction, inputs } of runsOf(transactions, jobs)) {
      answers.push(...(await runInSavepoint(connection, transaction, inputs)))
    }
    connection.exec('commit')
    return answers
  } catch (error) {
    rollback(connection)
    throw error
  }
}

/** Neighbours of the same name travel as one run where their transaction allows it. */
function runsOf(transactions: Transactions, jobs: readonly Job[]) {
  const runs: { transaction: Transaction<unknown, unknown>; inputs: unknown[] }[] = []
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

async function runInSavepoint(
  connection: Connection,
  { run, together, name }: Transaction<unknown, unknown>,
  inputs: readonly unknown[],
): Promise<Answer[]> {
  connection.exec('savepoint run')
  try {
    const outcomes = await run(connection, inputs)
    if (outcomes.length !== inputs.length)
      throw new Error(`${name} left an input without an outcome.`)
    const isUndone = !together && outcomes.some((outcome) => 'refusal' in outcome)
    connection.exec(isUndone ? 'rollback to run; release run' : 'release run')
    return outcomes
  } catch (error) {
    if (failureOf(error) || !connection.isTransaction) throw error
    connection.exec('rollback to run; release run')
    if (inputs.length === 1) return [{ defect: describe(error) }]
    const alone: Answer[] = []
    for (const input of inputs) {
      alone.push(...(await runInSavepoint(connection, { run, together, name }, [input])))
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
