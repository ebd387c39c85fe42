import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { Column, DamageReport, Parameter, Row, Sql, Value } from '../db.ts'

/** How long a statement waits for the write lock of another process. */
export const busyTimeoutMs = 5_000

/** The page cache of a connection: enough for the pets of a large store. */
const cacheMaxKiB = 16_384

/** The log is checkpointed at this many pages: a page that changes often is copied once. */
const logMaxPages = 4_000

/** Rows that the service stores are shorter: a file of 4 MiB, and its id. */
const immutableValueMaxBytes = 8 * 2 ** 20

/** An open database, in a file or in memory; every statement is prepared once. */
export type Connection = Omit<Sql, 'all'> &
  Disposable & {
    all<R extends Row>(text: string, parameters?: readonly Parameter[]): R[]
    exec(text: string): void
    readonly isTransaction: boolean
    /** May be called again. */
    close(): void
  }

export const inMemory = ':memory:'

/** `immutable` ignores the log and takes no locks. */
type Mode = 'existing' | 'create' | 'read' | 'immutable'

/** The values for `?1`, `?2` and so on. Node before 22.19 and 24.6 binds these by their names only. */
const bound = bindsByPosition()
  ? (values: readonly Parameter[]) => values as SQLInputValue[]
  : (values: readonly Parameter[]) =>
      [
        Object.fromEntries(values.map((value, index) => [index + 1, value])),
      ] as unknown as SQLInputValue[]

function bindsByPosition(): boolean {
  try {
    new DatabaseSync(inMemory).prepare('select ?1').get(1)
    return true
  } catch {
    return false
  }
}

/** Opens a database in memory or a file; a file must exist unless `mode` is `create`. Throws SQLite's errors. */
export function connect(path: string, mode: Mode = 'existing'): Connection {
  const database = new DatabaseSync(path === inMemory ? path : fileUrl(path, mode), {
    timeout: busyTimeoutMs,
    enableForeignKeyConstraints: true,
    defensive: true,
    // An immutable file may be from anywhere: a damaged value may claim a gigabyte.
    ...(mode === 'immutable' ? { limits: { length: immutableValueMaxBytes } } : {}),
  })
  const prepared = new Map<string, StatementSync>()

  function prepare(text: string): StatementSync {
    let statement = prepared.get(text)
    if (!statement) {
      statement = database.prepare(text)
      // As options of the database, Node 22.16 does not know them.
      statement.setReadBigInts(true)
      statement.setReturnArrays(true)
      prepared.set(text, statement)
    }
    return statement
  }

  function all<R extends Row>(text: string, parameters: readonly Parameter[] = []): R[] {
    return prepare(text).all(...bound(parameters)) as unknown as R[]
  }

  function lastIdOf(table: string): bigint {
    return all<[bigint]>('select seq from sqlite_sequence where name = ?1', [table])[0]?.[0] ?? 0n
  }

  function insert(table: string, columns: readonly Column[], rows: readonly Row[]): bigint[] {
    const marks = columns.map((_, index) => `?${index + 1}`).join(', ')
    const names = columns.map(({ name }) => name).join(', ')
    // The id is the rowid, which is three times as fast as a `returning` clause.
    const statement = prepare(`insert into ${table} (${names}) values (${marks})`)
    return rows.map((row) => statement.run(...bound(row)).lastInsertRowid as bigint)
  }

  function close() {
    if (database.isOpen) database.close()
  }

  try {
    database.exec('pragma trusted_schema = off; pragma cell_size_check = on')
    database.exec(`pragma cache_size = -${cacheMaxKiB}`)
    // Otherwise savepoints write their journal to a temporary file.
    database.exec('pragma temp_store = memory')
    if (path !== inMemory) {
      database.exec(`pragma wal_autocheckpoint = ${logMaxPages}`)
      // On macOS a sync reaches the drive only with fullfsync; elsewhere it has no effect.
      database.exec('pragma fullfsync = on; pragma checkpoint_fullfsync = on')
      database.exec('pragma synchronous = full')
    }
  } catch (error) {
    database.close()
    throw error
  }

  return {
    all,
    insert,
    // One writer: ids ascend in the order of commits.
    insertInOrder: (table, columns, rows) => void insert(table, columns, rows),
    writersEnded: () => true,
    settledIds(table) {
      const last = lastIdOf(table)
      return { last, settled: last }
    },
    rows: (columns, rows) => ({
      from: tableOf(columns),
      parameters: [encodeRows(columns, rows)],
    }),
    isAnyOf: (column, parameter) => `${column} in (select value from json_each(${parameter}))`,
    set: (ids) => `[${ids.join(',')}]`,
    // SQLite has one writer, so no row locks.
    forUpdate: '',
    forUpdateOfFree: '',
    isShared: false,
    now: "cast(unixepoch('subsec') * 1000 as integer)",
    isPlannedOnce: false,
    lastId: lastIdOf,
    skipIds(table, last) {
      all(
        `insert into sqlite_sequence (name, seq) select ?1, 0
        where not exists (select 1 from sqlite_sequence where name = ?1)`,
        [table],
      )
      all('update sqlite_sequence set seq = max(seq, ?2) where name = ?1', [table, last])
    },
    findDamage: () => [
      ...all<[string]>('pragma integrity_check').flatMap(([line]) => damageOf(line)),
      ...all<[string, bigint | null, string]>('pragma foreign_key_check').map(
        ([table, row, parent]) => ({
          message: `row ${row} of ${table} refers to a row of ${parent} that does not exist`,
          isInRows: true,
        }),
      ),
    ],
    exec: (text) => database.exec(text),
    get isTransaction() {
      return database.isTransaction
    },
    close,
    [Symbol.dispose]: close,
  }
}

/** The rows of `encodeRows` as a table. */
function tableOf(columns: readonly Column[]): string {
  const values = columns.map(({ name, type }, index) =>
    type === 'bytes' ? `unhex(value ->> ${index}) as ${name}` : `value ->> ${index} as ${name}`,
  )
  return `(select ${values.join(', ')} from json_each(?1)) as input`
}

function encodeRows(columns: readonly Column[], rows: readonly Row[]): string {
  const encode = (row: Row) =>
    `[${row.map((value, index) => encodeValue(columns[index]?.type, value)).join()}]`
  return `[${rows.map(encode).join()}]`
}

function encodeValue(type: Column['type'] | undefined, value: Value | undefined): string {
  if (value instanceof Uint8Array) return `"${Buffer.from(value).toString('hex')}"`
  return type === 'text' ? JSON.stringify(value) : String(value)
}

/** A violated check is a fault of a row, not of the file: a copy can have it. */
function damageOf(line: string): DamageReport[] {
  if (line === 'ok') return []
  const isInRows = line.startsWith('CHECK constraint failed in ')
  return [{ message: line.replaceAll('\n', ': '), isInRows }]
}

/** SQLite's parameters of an address (sqlite.org/uri.html). */
const parametersOf: Record<Mode, Readonly<Record<string, string>>> = {
  existing: { mode: 'rw' },
  create: { mode: 'rwc' },
  read: { mode: 'ro' },
  immutable: { mode: 'ro', immutable: '1' },
}

/** The address of a file for SQLite. */
function fileUrl(path: string, mode: Mode): URL {
  const url = pathToFileURL(path)
  for (const [name, value] of Object.entries(parametersOf[mode])) url.searchParams.set(name, value)
  return url
}
