import type { Db } from './db.ts'
import { inMemory } from './sqlite/connection.ts'
import { openExistingSqlite, openInlineSqlite, openServedSqlite } from './sqlite/db.ts'
import type { Storage } from './storage.ts'

/** Where a database is. `name` is how messages call it: without its user and password. */
export type DatabaseAddress =
  | { engine: 'sqlite'; path: string; name: string }
  | { engine: 'postgres'; text: string; name: string }

type DbOptions = {
  storage: Storage
  /** The module that exports `storage`, for threads. */
  storageUrl: string
  /** The first id that each table but `keys` gives out, where it has given out none beyond. */
  firstId?: bigint | undefined
  /** Told of what is dangerous in how the database is set up. */
  warn(sentence: string): void
  /** Told once, when the store has failed for good. */
  onLost(reason: string): void
}

/** Opens a store to serve it; on SQLite nothing else serves it meanwhile. Throws OpenError. */
export async function openDb(database: DatabaseAddress, options: DbOptions): Promise<Db> {
  const isPatient = false
  if (database.engine === 'postgres') {
    return openOnPostgres(database, { ...options, isPatient, outdated: 'upgraded' })
  }
  const { path } = database
  return isInMemory(database)
    ? openInlineSqlite({ path, isPatient, ...options })
    : openServedSqlite({ path, isPatient, ...options })
}

/** Opens a store for one command, beside the process that serves it; its statements may take their time. Throws OpenError. */
export async function openDbBriefly(database: DatabaseAddress, options: DbOptions): Promise<Db> {
  const isPatient = true
  if (database.engine === 'postgres') {
    return openOnPostgres(database, { ...options, isPatient, outdated: 'upgraded' })
  }
  return openInlineSqlite({ path: database.path, isPatient, ...options })
}

/**
 * Opens a store as `openDbBriefly` does, and as it is. Throws OpenError, and has changed nothing, where there is none, or
 * it would have to be upgraded first, or lacks a table.
 */
export async function openDbAsItIs(database: DatabaseAddress, options: DbOptions): Promise<Db> {
  const isPatient = true
  if (database.engine === 'postgres') {
    return openOnPostgres(database, { ...options, isPatient, outdated: 'refused' })
  }
  return openExistingSqlite({ path: database.path, isPatient, ...options })
}

/** Whether the store is forgotten with its process. */
export function isInMemory(database: DatabaseAddress): boolean {
  return database.engine === 'sqlite' && database.path === inMemory
}

type OnPostgres = Extract<DatabaseAddress, { engine: 'postgres' }>

/** The engine is loaded only where it is used. */
async function openOnPostgres(
  { text, name }: OnPostgres,
  options: DbOptions & { isPatient: boolean; outdated: 'upgraded' | 'refused' },
): Promise<Db> {
  const { openPostgres } = await import('./postgres/db.ts')
  return openPostgres({ text, name, ...options })
}
