import { type Moves, next } from '../../states.ts'
import type { Outcome, Tx } from '../db.ts'
import { Refusal } from '../errors.ts'
import { begin, type PostgresSql, sqlBy } from './sql.ts'

/**
 * A transaction is
 * - new: nothing was sent, nothing is stored;
 * - begun: its first statement was sent. Where the primary goes away now, nothing is stored;
 * - committing: its commit was sent. Where the primary goes away before it has confirmed that, the transaction is stored or it
 *   is not: the request gets a 503 that says so, and it is not run again (`isRolledBack` of `writes.ts`);
 * - undone: it was rolled back, or the server has refused it together with its commit. Nothing is stored.
 */
type State = 'new' | 'begun' | 'committing' | 'undone'
type Event = 'statement' | 'commit' | 'undo'

export const transactionMoves: Moves<State, Event> = {
  new: { statement: 'begun', commit: 'committing' },
  begun: { statement: 'begun', commit: 'committing', undo: 'undone' },
  committing: { undo: 'undone' },
  undone: {},
}

/** A transaction that begins with its first statement. */
export type Transaction = Omit<Tx, 'record' | 'create'> & {
  readonly state: State
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
  const pending = [[begin, ...lockTimeout].join('; ')]
  let state: State = 'new'
  const note = (event: Event) => {
    state = next(transactionMoves, state, event)
  }

  const run: PostgresSql['send'] = (text, parameters) => {
    note('statement')
    return sql.send(text, parameters, pending.splice(0))
  }

  /** Runs a statement that commits by itself without `begin`, else together with the commit. */
  const runLast: PostgresSql['send'] = (text, parameters) => {
    const isAlone = state === 'new'
    note('commit')
    return sql.confirmed(() =>
      isAlone
        ? sql.send(text, parameters)
        : sql.send(text, parameters, pending, () => note('undo')),
    )
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
    get state() {
      return state
    },
    async commit() {
      if (state !== 'begun') return
      for (const command of pending) await sql.command(command)
      note('commit')
      await sql.command('commit')
    },
    async rollback() {
      if (state !== 'begun') return
      note('undo')
      await sql.command('rollback')
    },
  }
}
