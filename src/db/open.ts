import type { DatabaseAddress } from '../settings.ts'
import type { Db, Statements } from './seam.ts'
import { inMemory } from './sqlite/connection.ts'
import { openInlineSqlite, openServedSqlite } from './sqlite/db.ts'

export type DbOptions = {
  statements: Statements
  /** The module that exports `statements`, for threads. */
  statementsUrl: string
  /** The first id that each table gives out, where it has given out none beyond. */
  firstId?: bigint | undefined
  /** Told once, when the store has failed for good. */
  onLost(reason: string): void
}

/** Opens a store to serve it; nothing else serves it meanwhile. Throws ExitError. */
export async function openDb({ path }: DatabaseAddress, options: DbOptions): Promise<Db> {
  return path === inMemory
    ? openInlineSqlite({ path, ...options })
    : openServedSqlite({ path, ...options })
}

/** Opens a store beside the process that serves it, for a moment. Throws ExitError. */
export function openDbBriefly({ path }: DatabaseAddress, options: DbOptions): Db {
  return openInlineSqlite({ path, ...options })
}
