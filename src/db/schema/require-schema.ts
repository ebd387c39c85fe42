import { configurationError, damagedError, type OpenError } from '../errors.ts'
import type { Table } from '../storage.ts'

/** The tables of a database, and its pending migrations. */
type Found = { tables: readonly string[]; pending: readonly unknown[] }

/**
 * Throws `configuration` for a database without a store or with pending migrations, `damaged` where a table is missing.
 */
export function requireSchema(
  database: string,
  { tables, pending }: Found,
  declared: readonly Table[],
): void {
  if (!tables.includes('migrations')) {
    throw noStore(database)
  }
  if (pending.length > 0) {
    throw configurationError(
      `${database} is not up to date with this program. Nothing was changed; take a backup, then start the service once to upgrade it.`,
    )
  }
  const missing = declared.map(({ name }) => name).filter((name) => !tables.includes(name))
  if (missing.length > 0) throw lacking(database, missing.sort())
}

/** The error for a database without a store, where none is to be created. */
export function noStore(database: string): OpenError {
  return configurationError(
    `There is no store at ${database}. Nothing was changed. Check PETSTORE_DATABASE and the current folder; petstore serve makes a store.`,
  )
}

/** The error for a store whose tables are missing. */
export function lacking(database: string, tables: readonly string[]): OpenError {
  return damagedError(
    `${database} is damaged, it lacks the table${tables.length === 1 ? '' : 's'} ${tables.join(', ')}. Nothing was changed; restore a backup.`,
  )
}
