import type { Sql } from './db.ts'
import type { OpenError } from './errors.ts'
import type { SchemaDifference } from './schema-difference.ts'
import type { Storage } from './storage.ts'

/** What a store is like, seen without opening it to use it. */
export type StoreFacts<Contents> = {
  engine: 'sqlite' | 'postgres'
  /** The file, or the database without its password. */
  name: string
  state: 'missing' | 'unreadable' | 'readable'
  /** Why it cannot be read or served; a sentence says what to do, too. */
  problem?: string | OpenError | undefined
  /** The migrations that the next start runs. */
  pending: readonly string[]
  contents?: Contents | undefined
  /** How its schema differs from the one of its migrations. */
  schema?: readonly SchemaDifference[]
  /** Who serves it now. */
  servedBy?: string | undefined
  /** SQLite's write-ahead log; `undefined` where there is none. */
  logBytes?: number | undefined
}

/** How to look into a store. */
export type Looking<Contents> = {
  storage: Pick<Storage, 'tables' | 'log'>
  /** Reads from the tables that are there. */
  read(sql: Sql, tables: ReadonlySet<string>): Promise<Contents>
}
