import type { Outcome, Tx } from '../db.ts'
import { Refusal } from '../errors.ts'
import { failureOf } from './failures.ts'
import { begin, mayBeCommitted, type PostgresSql, sqlBy } from './sql.ts'

/** A transaction that begins with its first statement. */
export type Transaction = Omit<Tx, 'record' | 'create'> & {
  /** Whether its commit was sent: after a failure it may be stored. */
  readonly isCommitSent: boolean
  commit(): Promise<void>
  rollback(): Promise<void>
}

const savepoint = 'savepoint input'
const release = 'release savepoint input'
const rollback = 'rollback to savepoint input'

/** A transaction on one connection. A lock is waited for at most `lockMaxMs`, where given. */
export function transactionOn(sql: PostgresSql, lockMaxMs: number | undefined): Transaction {
  const lockTimeout = lockMaxMs === undefined ? [] : [`set local lock_timeout = ${lockMaxMs}`]
  /** Commands to send with the next statement. */
  let pending: string[] = [[begin, ...lockTimeout].join('; ')]
  let hasBegun = false
  let isCommitSent = false

  const run: PostgresSql['send'] = (text, parameters) => {
    if (isCommitSent) throw new Error('A statement follows the last one of its transaction.')
    hasBegun = true
    return sql.send(text, parameters, pending.splice(0))
  }

  /** Runs a statement that commits by itself without `begin`, else together with the commit. */
  const runLast: PostgresSql['send'] = async (text, parameters) => {
    isCommitSent = true
    if (!hasBegun) {
      pending = []
      return sql.confirmed(() => sql.send(text, parameters))
    }
    hasBegun = false
    try {
      return await sql.confirmed(() => sql.send(text, parameters, pending.splice(0), true))
    } catch (error) {
      // After a failed statement the commit rolls back.
      isCommitSent = mayBeCommitted(error) || failureOf(error) === 'unknown'
      throw error
    }
  }

  return {
    ...sqlBy(run),
    last: sqlBy(runLast),
    async attempt<V>(work: () => Promise<V>): Promise<Outcome<V>> {
      pending.push(savepoint)
      // Without a statement since, the savepoint was not sent.
      const end = (...commands: string[]) => {
        if (pending.at(-1) === savepoint) pending.pop()
        else pending.push(...commands)
      }
      try {
        const value = await work()
        end(release)
        return { value }
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        end(rollback, release)
        return { refusal: error }
      }
    },
    get isCommitSent() {
      return isCommitSent
    },
    async commit() {
      if (!hasBegun) return
      for (const command of pending) await sql.command(command)
      isCommitSent = true
      await sql.command('commit')
    },
    async rollback() {
      if (hasBegun) await sql.command('rollback')
    },
  }
}
