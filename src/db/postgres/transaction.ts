import type { Outcome, Tx } from '../db.ts'
import { Refusal } from '../errors.ts'
import { begin, type PostgresSql } from './sql.ts'

/** A transaction that begins with its first statement. */
export type Transaction = Omit<Tx, 'record'> & {
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

  function sending<A extends unknown[], T>(send: (...parameters: A) => T): (...parameters: A) => T {
    return (...parameters) => {
      if (isCommitSent) throw new Error('A statement follows the last one of its transaction.')
      if (pending.length > 0) sql.ahead(pending)
      pending = []
      hasBegun = true
      return send(...parameters)
    }
  }

  /** A statement that is sent without `begin` commits by itself. */
  function committing<A extends unknown[], T>(
    send: (...parameters: A) => Promise<T> | T,
    inside: (...parameters: A) => Promise<T> | T,
  ) {
    return (...parameters: A) => {
      if (hasBegun) return inside(...parameters)
      pending = []
      isCommitSent = true
      return sql.confirmed(async () => send(...parameters))
    }
  }

  const all = sending(sql.all) as Tx['all']
  const insert = sending(sql.insert)

  return {
    ...sql,
    all,
    insert,
    lastId: sending(sql.lastId),
    skipIds: sending(sql.skipIds),
    insertInOrder: sending(sql.insertInOrder),
    last: {
      all: committing(sql.all, all) as Tx['all'],
      insert: committing(sql.insert, insert),
    },
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
