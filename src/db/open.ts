import type { Db } from './db.ts'
import type { CommandOptions, ServeOptions, UseOptions } from './opening/open-options.ts'
import { inMemory } from './sqlite/connection.ts'
import { openInlineSqlite, openServedSqlite, openSqliteInMemory } from './sqlite/serving/db.ts'

/** The address of a database. `name` is for messages: without user and password. */
export type DatabaseAddress =
  | { engine: 'sqlite'; path: string; name: string }
  | { engine: 'postgres'; text: string; name: string }

export type OnPostgres = Extract<DatabaseAddress, { engine: 'postgres' }>

/** Opens a store to serve it; on SQLite exclusively. Throws OpenError. */
export async function openDb(database: DatabaseAddress, options: ServeOptions): Promise<Db> {
  if (database.engine === 'postgres') {
    return openOnPostgres(database, { ...options, isPatient: false, outdated: 'upgraded' })
  }
  const { path } = database
  return isInMemory(database) ? openSqliteInMemory(options) : openServedSqlite({ path, ...options })
}

/** Opens a store for one command, beside a serving process, without statement timeouts. Throws OpenError. */
export function openDbBriefly(database: DatabaseAddress, options: UseOptions): Promise<Db> {
  return openForCommand(database, { ...options, outdated: 'upgraded' })
}

/**
 * Opens a store as `openDbBriefly` does, without changing it. Throws OpenError where there is no store, a migration is
 * pending, or a table is missing.
 */
export function openDbAsItIs(database: DatabaseAddress, options: UseOptions): Promise<Db> {
  return openForCommand(database, { ...options, outdated: 'refused' })
}

/** Whether the store is in memory, and ends with its process. */
export function isInMemory(database: DatabaseAddress): boolean {
  return database.engine === 'sqlite' && database.path === inMemory
}

function openForCommand(database: DatabaseAddress, options: CommandOptions): Promise<Db> {
  return database.engine === 'postgres'
    ? openOnPostgres(database, { ...options, isPatient: true })
    : openInlineSqlite({ path: database.path, ...options })
}

/** Imported on demand: `pg` is loaded only where it is used. */
async function openOnPostgres(
  { text, name }: OnPostgres,
  options: CommandOptions & Pick<ServeOptions, 'onCommit'> & { isPatient: boolean },
): Promise<Db> {
  const { openPostgres } = await import('./postgres/db.ts')
  return openPostgres({ text, name, warn: () => undefined, ...options })
}
