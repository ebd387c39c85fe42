import type { Db } from './db.ts'
import type { ServeOptions, UseOptions } from './open-options.ts'
import type { OnCommit } from './run-write.ts'
import { inMemory } from './sqlite/connection.ts'
import {
  openExistingSqlite,
  openInlineSqlite,
  openServedSqlite,
  openSqliteInMemory,
} from './sqlite/serving/db.ts'

/** The address of a database. `name` is for messages: without user and password. */
export type DatabaseAddress =
  | { engine: 'sqlite'; path: string; name: string }
  | { engine: 'postgres'; text: string; name: string }

/** Opens a store to serve it; on SQLite exclusively. Throws OpenError. */
export async function openDb(database: DatabaseAddress, options: ServeOptions): Promise<Db> {
  if (database.engine === 'postgres') {
    return openOnPostgres(database, { ...options, isPatient: false, outdated: 'upgraded' })
  }
  const { path } = database
  return isInMemory(database) ? openSqliteInMemory(options) : openServedSqlite({ path, ...options })
}

/** Opens a store for one command, beside a serving process, without statement timeouts. Throws OpenError. */
export async function openDbBriefly(database: DatabaseAddress, options: UseOptions): Promise<Db> {
  return database.engine === 'postgres'
    ? openOnPostgres(database, { ...options, isPatient: true, outdated: 'upgraded' })
    : openInlineSqlite({ path: database.path, ...options })
}

/**
 * Opens a store as `openDbBriefly` does, without changing it. Throws OpenError where there is no store, a migration is
 * pending, or a table is missing.
 */
export async function openDbAsItIs(database: DatabaseAddress, options: UseOptions): Promise<Db> {
  return database.engine === 'postgres'
    ? openOnPostgres(database, { ...options, isPatient: true, outdated: 'refused' })
    : openExistingSqlite({ path: database.path, ...options })
}

/** Whether the store is in memory, and ends with its process. */
export function isInMemory(database: DatabaseAddress): boolean {
  return database.engine === 'sqlite' && database.path === inMemory
}

type OnPostgres = Extract<DatabaseAddress, { engine: 'postgres' }>

/** Imported on demand: `pg` is loaded only where it is used. */
async function openOnPostgres(
  { text, name }: OnPostgres,
  options: UseOptions & {
    isPatient: boolean
    outdated: 'upgraded' | 'refused'
    onCommit?: OnCommit | undefined
  },
): Promise<Db> {
  const { openPostgres } = await import('./postgres/db.ts')
  return openPostgres({ text, name, warn: () => undefined, ...options })
}
