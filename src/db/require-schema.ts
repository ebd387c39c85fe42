import { OpenError } from './errors.ts'
import type { Table } from './storage.ts'

/** What a database has: the tables, and what it lacks of this program's migrations. */
type Found = { tables: readonly string[]; pending: readonly unknown[] }

/** Throws `configuration` for a database without a store, or with one to be upgraded; `damaged` for one that lacks a table. */
export function requireSchema(
  database: string,
  { tables, pending }: Found,
  declared: readonly Table[],
): void {
  if (!tables.includes('migrations')) {
    throw new OpenError('configuration', `There is no store at ${database}. Nothing was changed.`)
  }
  if (pending.length > 0) {
    throw new OpenError(
      'configuration',
      `${database} is not up to date with this program. Nothing was changed; take a backup, then start the service once to upgrade it.`,
    )
  }
  const missing = declared.map(({ name }) => name).filter((name) => !tables.includes(name))
  if (missing.length > 0) throw lacking(database, missing.sort())
}

/** The refusal of a database of ours without tables that it has had. */
export function lacking(database: string, tables: readonly string[]): OpenError {
  return new OpenError(
    'damaged',
    `${database} is damaged, it lacks the table${tables.length === 1 ? '' : 's'} ${tables.join(', ')}. Nothing was changed; restore a backup.`,
  )
}
