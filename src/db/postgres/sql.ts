import pg from 'pg'
import type { Column, Parameter, Row, ScanSql } from '../db.ts'
import { explaining, LockTimeout, OpenError } from '../errors.ts'
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
export type PostgresSql = PlainSql & {
  /**
   * Runs the commands `ahead`, a statement, and with `undone` a commit, in one round trip. `undone` is called where the server
   * has confirmed that it rolled back.
   */
  send<R extends Row>(
    text: string,
    parameters?: readonly Parameter[],
    ahead?: readonly string[],
    undone?: () => void,
  ): Promise<R[]>
  /** Throws `UnconfirmedCommit` as `confirmed` does. */
  command(text: string): Promise<void>
  /** Runs what commits. Throws `UnconfirmedCommit` on a server warning. */
  confirmed<T>(work: () => Promise<T>): Promise<T>
}

type PlainSql = ScanSql & Required<Pick<ScanSql, 'insertLogged'>>

/** After a failed statement, COMMIT succeeds with the tag ROLLBACK. */
class RolledBack extends Error {}

/**
 * `Sql` on one connection; every statement is prepared once. Statements run one after the other, and none after a
 * failure, so none is in progress once the failure is known.
 */
export function sqlOn(client: pg.ClientBase): PostgresSql {
  let last: Promise<unknown> = Promise.resolve()
  const send: PostgresSql['send'] = (text, parameters = [], ahead = [], undone) => {
    const rows = last.then(() =>
      ahead.length === 0 && !undone
        ? ask(client, text, parameters)
        : sendTogether(client, [text, parameters], ahead, undone),
    )
    last = rows
    return rows as Promise<never>
  }
  return {
    ...sqlBy(send),
    send,
    async command(text) {
      if (text === 'commit') await confirmed(client, () => commit(client))
      else await query(client, { text })
    },
    confirmed: (work) => confirmed(client, work),
  }
}

async function sendTogether(
  client: pg.ClientBase,
  statement: [text: string, parameters: readonly Parameter[]],
  ahead: readonly string[],
  undone: (() => void) | undefined,
): Promise<Row[]> {
  const sent = ahead.map((command) => query(client, { text: command }))
  const asked = ask(client, ...statement)
  const settled = await Promise.allSettled([...sent, asked, ...(undone ? [commit(client)] : [])])
  const failed = settled.findIndex(({ status }) => status === 'rejected')
  if (failed < 0) return asked
  // Without its `begin` the statement was a transaction of its own.
  if (failed < sent.length && settled[sent.length]?.status === 'fulfilled')
    throw new UnconfirmedCommit('BEGIN failed.')
  const last = settled.at(-1)
  if (last?.status === 'rejected' && last.reason instanceof RolledBack) undone?.()
  throw (settled[failed] as PromiseRejectedResult).reason
}

async function commit(client: pg.ClientBase): Promise<void> {
  const { command } = await query(client, { text: 'commit' })
  if (command === 'COMMIT') return
  const message = `The server answered ${command} to a commit.`
  throw command === 'ROLLBACK' ? new RolledBack(message) : new Error(message)
}

/** Makes an `Sql` of the function that runs one statement. */
export function sqlBy(all: PostgresSql['send']): PlainSql {
  async function lastIdOf(table: string): Promise<bigint> {
    const named = await all<[string]>("select pg_get_serial_sequence(?1, 'id')", [table])
    const [row] = await all<[bigint]>(
      `select case when is_called then last_value else last_value - 1 end from ${named[0]?.[0]}`,
    )
    return row?.[0] ?? 0n
  }

  const plain = { all, rows: tableOf }
  return {
    ...plain,
    async insert(table, columns, rows) {
      const names = columns.map(({ name }) => name).join(', ')
      const { from, parameters } = tableOf(columns, rows)
      const text = `insert into ${table} (${names}) select * from ${from} returning id`
      const inserted = await all<[bigint]>(text, parameters)
      return inserted.map(([id]) => id)
    },
    insertInOrder: (...rows) => insertInOrder(plain, ...rows),
    insertLogged: (...rows) => insertLogged(plain, ...rows),
    settledIds: (table) => settledIds(plain, table),
    writersEnded: (table) => writersEnded(plain, table),
    isAnyOf: (column, parameter) => `${column} = any(${parameter}::bigint[])`,
    set: (ids) => ids,
    forUpdate: ' for update',
    forUpdateOfFree: ' for update skip locked',
    isShared: true,
    now: '(extract(epoch from clock_timestamp()) * 1000)::bigint',
    // See `prepareSession`.
    isPlannedOnce: true,
    lastId: (table) => withRights(() => lastIdOf(table)),
    skipIds: (table, last) =>
      withRights(async () => {
        // A start, whose ids are mostly reached, waits for no other process.
        if ((await lastIdOf(table)) >= last) return
        // This lock excludes inserts, so no id is assigned between the statements below.
        await all(`lock table ${table} in share mode`)
        if ((await lastIdOf(table)) >= last) return
        await all("select setval(pg_get_serial_sequence(?1, 'id'), ?2)", [table, last])
      }),
    // PostgreSQL has no integrity check for ordinary roles.
    findDamage: () => [],
    compareSchema: async () =>
      (await compareSchema(plain)).filter(({ kind }) => kind !== 'foreign'),
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

function withRights<T>(work: () => Promise<T>): Promise<T> {
  return explaining(work, (error) => {
    if (stateOf(error) !== rightIsMissing) return error
    const sentence = 'This role may not do so with the ids of tables; their owner may'
    return new OpenError('noPermission', `${sentence}: ${(error as Error).message}.`, error)
  })
}

async function ask(
  client: pg.ClientBase,
  text: string,
  parameters: readonly Parameter[],
): Promise<Row[]> {
  const values = parameters as unknown[]
  const statement = { ...statementFor(text), values, rowMode: 'array', types }
  return (await query(client, statement)).rows
}

async function query(client: pg.ClientBase, config: pg.QueryConfig): Promise<pg.QueryResult> {
  try {
    return await client.query(config)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw new ConnectionFailure(error)
    throw error.code === lockNotAvailable ? new LockTimeout(error.message, { cause: error }) : error
  }
}
