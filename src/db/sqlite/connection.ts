import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { Damage, Parameter, Row, Sql } from '../db.ts'

/** Older libraries can corrupt a database when a WAL is reset while it is read. */
const libraryMin = [3, 51, 3] as const

/** Another process (the command line) may hold the write lock this long before we give up. */
export const busyTimeoutMs = 5_000

/** What a connection keeps of the file: enough for the animals of a large store, little beside the process. */
const cacheMaxKiB = 16_384

/** The log is copied into the file when it has so many pages: a page that changes often is copied once. */
const logMaxPages = 4_000

/** One open database file, or one in memory; every statement is prepared once. */
export type Connection = Omit<Sql, 'all'> & {
  all<R extends Row>(text: string, parameters?: readonly Parameter[]): R[]
  exec(text: string): void
  readonly isTransaction: boolean
  close(): void
}

export const inMemory = ':memory:'

type Mode = 'existing' | 'create' | 'read'

/** Opens a file, which has to exist unless it may be created, or a database in memory. Throws SQLite's errors. */
export function connect(path: string, mode: Mode = 'existing'): Connection {
  const database = new DatabaseSync(path === inMemory ? path : fileUrl(path, mode), {
    timeout: busyTimeoutMs,
    readBigInts: true,
    returnArrays: true,
    enableForeignKeyConstraints: true,
    defensive: true,
  })
  const prepared = new Map<string, StatementSync>()

  function prepare(text: string): StatementSync {
    let statement = prepared.get(text)
    if (!statement) {
      statement = database.prepare(text)
      prepared.set(text, statement)
    }
    return statement
  }

  function all<R extends Row>(text: string, parameters: readonly Parameter[] = []): R[] {
    return prepare(text).all(...(parameters as readonly SQLInputValue[])) as unknown as R[]
  }

  try {
    database.exec('pragma trusted_schema = off; pragma cell_size_check = on')
    database.exec(`pragma cache_size = -${cacheMaxKiB}`)
    // What a savepoint may have to undo would otherwise go through a file of its own.
    database.exec('pragma temp_store = memory')
    if (path !== inMemory) {
      database.exec(`pragma wal_autocheckpoint = ${logMaxPages}`)
      // On macOS a sync reaches the drive itself only with fullfsync; elsewhere it changes nothing.
      database.exec('pragma fullfsync = on; pragma checkpoint_fullfsync = on')
      database.exec('pragma synchronous = full')
    }
  } catch (error) {
    database.close()
    throw error
  }

  return {
    all,
    insert(table, columns, rows) {
      const marks = columns.map((_, index) => `?${index + 1}`).join(', ')
      const names = columns.map(({ name }) => name).join(', ')
      // The id of a row is its rowid, which is told thrice as fast as a `returning` clause does.
      const statement = prepare(`insert into ${table} (${names}) values (${marks})`)
      return rows.map((row) => statement.run(...row).lastInsertRowid as bigint)
    },
    isAnyOf: (column, parameter) => `${column} in (select value from json_each(${parameter}))`,
    set: (ids) => `[${ids.join(',')}]`,
    // Whoever writes is alone.
    forUpdate: '',
    lastId: (table) =>
      all<[bigint]>('select seq from sqlite_sequence where name = ?1', [table])[0]?.[0] ?? 0n,
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
          message: `row ${row} of ${table} refers to a row of ${parent} that is not there`,
          isInRows: true,
        }),
      ),
    ],
    exec: (text) => database.exec(text),
    get isTransaction() {
      return database.isTransaction
    },
    close: () => database.close(),
  }
}

function damageOf(line: string): Damage[] {
  if (line === 'ok') return []
  const isInRows = /^(?:CHECK constraint failed|NULL value) in /.test(line)
  return [{ message: line.replaceAll('\n', ': '), isInRows }]
}

const modeNames: Record<Mode, string> = { existing: 'rw', create: 'rwc', read: 'ro' }

function fileUrl(path: string, mode: Mode): URL {
  const url = pathToFileURL(path)
  url.searchParams.set('mode', modeNames[mode])
  return url
}

/** Throws a plain error when Node carries a SQLite library that is too old to be trusted. */
export function checkLibrary(version = process.versions.sqlite): void {
  const parts = (version ?? '0').split('.').map(Number)
  for (const [index, least] of libraryMin.entries()) {
    const part = parts[index] ?? 0
    if (part > least) return
    if (part < least) {
      throw new Error(
        `SQLite ${libraryMin.join('.')} or newer is needed; this Node carries ${version}.`,
      )
    }
  }
}
