import pg from 'pg'
import type { Column, Parameter, Row, ScanSql } from '../db.ts'
import { LockTimeout, OpenError } from '../errors.ts'
import { insertInOrder, insertLogged, settledIds, writersEnded } from './commit-order.ts'
import { compareSchema } from './compare-schema.ts'
import {
  ConnectionFailure,
  lockNotAvailable,
  rightIsMissing,
  stateOf,
  successClass,
  UnconfirmedCommit,
} from './failures.ts'

const oids = { bytea: 17, int8: 20, int2: 21, int4: 23 } as const

/** Integers of every size are `bigint`, as `Sql` requires; bytea is a Buffer; all else is text. */
const types = {
  getTypeParser: (oid: number) => {
    if (oid === oids.int8 || oid === oids.int4 || oid === oids.int2) return BigInt
    if (oid === oids.bytea) return pg.types.getTypeParser(oids.bytea)
    return (text: string) => text
  },
}

/** Statements with PostgreSQL's parameters, `$1` for `?1`, and their names as prepared statements. */
const statements = new Map<string, { name: string; text: string }>()

function statementFor(text: string) {
  let statement = statements.get(text)
  if (!statement) {
    statement = { name: `petstore-${statements.size + 1}`, text: text.replace(/\?(\d+)/g, '$$$1') }
    statements.set(text, statement)
  }
  return statement
}

/** In read committed each statement has a new snapshot, so a statement sees what its lock waited for. */
export const begin = 'begin isolation level read committed'

/** `Sql` on one connection, with transaction commands. */
export type PostgresSql = ScanSql &
  Required<Pick<ScanSql, 'insertLogged'>> & {
    /** Throws `UnconfirmedCommit` as `confirmed` does. */
    command(text: string): Promise<void>
    /** Sends commands together with the next statement, without a round trip of their own. */
    ahead(commands: readonly string[]): void
    /** Sends a commit together with the statement of `work`, which it follows. Throws `UnconfirmedCommit` as `confirmed` does. */
    committing<T>(work: () => Promise<T> | T): Promise<T>
    /** Runs a statement that commits. Throws `UnconfirmedCommit` on a server warning. */
    confirmed<T>(work: () => Promise<T>): Promise<T>
  }

/** Errors of a statement that was sent together with the commit, where the server did not confirm that it rolled back. */
const undecided = new WeakSet<object>()

/** Whether a commit was sent together with what failed, and may have stored the transaction. */
export function mayBeCommitted(error: unknown): boolean {
  return typeof error === 'object' && error !== null && undecided.has(error)
}

/** After a failed statement, COMMIT succeeds with the tag ROLLBACK. */
class RolledBack extends Error {}

/**
 * `Sql` on one connection; every statement is prepared once. Statements run one after the other, and none after a
 * failure, so none is in progress once the failure is known.
 */
export function sqlOn(client: pg.ClientBase): PostgresSql {
  let last: Promise<unknown> = Promise.resolve()
  let commands: readonly string[] = []
  let isCommitted = false

  function all<R extends Row>(text: string, parameters: readonly Parameter[] = []): Promise<R[]> {
    const rows = last.then(async () => {
      const sent = commands.map((command) => query(client, { text: command }))
      commands = []
      const asked = ask<R>(client, text, parameters)
      const commits = isCommitted ? [commit()] : []
      isCommitted = false
      const [ahead, [result], [committed]] = await Promise.all([
        Promise.allSettled(sent),
        Promise.allSettled([asked]),
        Promise.allSettled(commits),
      ])
      const failed = ahead.find(({ status }) => status === 'rejected')
      // Without its `begin` the statement was a transaction of its own.
      if (failed && result.status === 'fulfilled') throw new UnconfirmedCommit('BEGIN failed.')
      const isRolledBack =
        committed?.status === 'rejected' && committed.reason instanceof RolledBack
      for (const one of [failed, result, committed]) {
        if (one?.status !== 'rejected') continue
        if (committed && !isRolledBack) undecided.add(one.reason)
        throw one.reason
      }
      return asked
    })
    last = rows
    return rows
  }

  async function commit(): Promise<void> {
    const { command } = await query(client, { text: 'commit' })
    if (command === 'COMMIT') return
    const message = `The server answered ${command} to a commit.`
    throw command === 'ROLLBACK' ? new RolledBack(message) : new Error(message)
  }

  async function lastIdOf(table: string): Promise<bigint> {
    const named = await all<[string]>("select pg_get_serial_sequence(?1, 'id')", [table])
    const [row] = await all<[bigint]>(
      `select case when is_called then last_value else last_value - 1 end from ${named[0]?.[0]}`,
    )
    return row?.[0] ?? 0n
  }

  return {
    all,
    async command(text) {
      if (text === 'commit') await confirmed(client, commit)
      else await query(client, { text })
    },
    ahead(texts) {
      commands = texts
    },
    committing(work) {
      isCommitted = true
      return confirmed(client, async () => work())
    },
    confirmed: (work) => confirmed(client, work),
    async insert(table, columns, rows) {
      const names = columns.map(({ name }) => name).join(', ')
      const { from, parameters } = tableOf(columns, rows)
      const text = `insert into ${table} (${names}) select * from ${from} returning id`
      const inserted = await all<[bigint]>(text, parameters)
      return inserted.map(([id]) => id)
    },
    insertInOrder: (table, columns, rows) =>
      insertInOrder({ all, rows: tableOf }, table, columns, rows),
    insertLogged: (...rows) => insertLogged({ all, rows: tableOf }, ...rows),
    settledIds: (table) => settledIds({ all }, table),
    writersEnded: (table) => writersEnded({ all }, table),
    rows: tableOf,
    isAnyOf: (column, parameter) => `${column} = any(${parameter}::bigint[])`,
    set: (ids) => ids,
    forUpdate: ' for update',
    now: '(extract(epoch from clock_timestamp()) * 1000)::bigint',
    // See `prepareSession`.
    isPlannedOnce: true,
    // Page checksums are on by default, and a further column costs a fifth of a page.
    lastId: (table) => withRights(() => lastIdOf(table)),
    skipIds: (table, last) =>
      withRights(async () => {
        // This lock excludes inserts, so no id is assigned between the statements below.
        await all(`lock table ${table} in share mode`)
        if ((await lastIdOf(table)) >= last) return
        await all("select setval(pg_get_serial_sequence(?1, 'id'), ?2)", [table, last])
      }),
    // PostgreSQL has no integrity check for ordinary roles.
    findDamage: () => [],
    compareSchema: async () =>
      (await compareSchema({ all })).filter(({ kind }) => kind !== 'foreign'),
  }
}

function tableOf(columns: readonly Column[], rows: readonly Row[]) {
  const arrays = columns.map(({ type }, index) => `?${index + 1}::${arrayTypes[type]}`)
  const names = columns.map(({ name }) => name)
  return {
    from: `unnest(${arrays.join(', ')}) as input (${names.join(', ')})`,
    parameters: columns.map((_, index) => rows.map((row) => row[index])) as unknown as Parameter[],
  }
}

const arrayTypes = { bigint: 'bigint[]', text: 'text[]', bytes: 'bytea[]' } as const

/**
 * When the wait for a synchronous standby is cancelled, the server commits without it and sends only a warning. Messages
 * of `raise info` arrive in the same way; their SQLSTATE is that of a success.
 */
async function confirmed<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  let warning: string | undefined
  const note = ({ code, message }: { code?: string | undefined; message?: string | undefined }) => {
    if (!code?.startsWith(successClass)) warning = message
  }
  client.on('notice', note)
  try {
    const result = await work()
    if (warning !== undefined) throw new UnconfirmedCommit(warning)
    return result
  } finally {
    client.off('notice', note)
  }
}

async function withRights<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (stateOf(error) !== rightIsMissing) throw error
    const sentence = 'This role may not do so with the ids of tables; their owner may'
    throw new OpenError('noPermission', `${sentence}: ${(error as Error).message}.`, error)
  }
}

async function ask<R extends Row>(
  client: pg.ClientBase,
  text: string,
  parameters: readonly Parameter[],
): Promise<R[]> {
  const values = parameters as unknown[]
  const statement = { ...statementFor(text), values, rowMode: 'array', types }
  return (await query(client, statement)).rows as R[]
}

async function query(client: pg.ClientBase, config: pg.QueryConfig): Promise<pg.QueryResult> {
  try {
    return await client.query(config)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw new ConnectionFailure(error)
    throw error.code === lockNotAvailable ? new LockTimeout(error.message, { cause: error }) : error
  }
}
