import { configurationError } from '../errors.ts'

/**
 * The last schema before 1.0.0, and the migration of this program that makes the same tables, with their columns in another order.
 * A start refuses such a store; `restore` copies its rows, or those of its backups, by the names of the columns. To be deleted after 1.0.0.
 */
export const early = { schema: '0032_create_photos', asOf: '0013_backup' }

/** Throws `configuration` for a store that a start uses as it is. */
export function requireEarly(applied: readonly string[], database: string): void {
  if (applied.includes(early.schema)) return
  throw configurationError(
    `${database} is not a store of a version before 1.0.0. Nothing was changed. To put a backup in its place, say which: petstore restore FILE --replace`,
  )
}
