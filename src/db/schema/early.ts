import { configurationError, type OpenError } from '../errors.ts'

/**
 * The first and the last migration of the last version before 1.0.0, and the one of this program that makes the same tables, with
 * their columns in another order. A start refuses such a store; `restore` copies its rows, or those of its backups, by the names of
 * the columns. To be deleted after 1.0.0.
 */
export const early = {
  first: '0001_create_pets',
  schema: '0032_create_photos',
  asOf: '0013_backup',
}

/** The only table of a feature that the database knows, until this file is deleted. */
const named = 'categories'

/** Categories of an early store whose names look like those of others; a store of this version has none. */
export const selectAlike = `select id, name from ${named} where canonical_name is null order by id`

/** Throws `configuration` for what `selectAlike` finds. */
export function requireUnlike(
  alike: readonly [id: bigint, name: string][],
  database: string,
  then = 'run this again',
): void {
  if (alike.length === 0) return
  const names = alike.map(([id, name]) => `${JSON.stringify(name)} (id ${id})`)
  throw configurationError(
    `${database} has categories whose names look like those of others: ${names.join(', ')}. Nothing was changed. Rename them with the version that made it, then ${then}.`,
  )
}

/** The error for a store, or with other advice a backup, that only the last version before 1.0.0 can upgrade. */
export function tooEarly(
  database: string,
  advice = 'Start the last of those on it once, which upgrades it; then run this again.',
): OpenError {
  return configurationError(
    `${database} is of an older version before 1.0.0. Nothing was changed. ${advice}`,
  )
}

/** Throws `configuration` for a store that a start uses as it is, or that is too early. */
export function requireEarly(applied: readonly string[], database: string): void {
  if (applied.includes(early.schema)) return
  if (applied.includes(early.first)) throw tooEarly(database)
  throw configurationError(
    `${database} is not a store of a version before 1.0.0. Nothing was changed. To put a backup in its place, say which: petstore restore FILE --replace`,
  )
}
