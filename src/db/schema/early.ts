import { configurationError, type OpenError } from '../errors.ts'

/**
 * Stores of before 1.0.0: their first and last migration (`schema`), and the migration of this version that makes the same tables,
 * with columns in another order (`asOf`). To be deleted after 1.0.0.
 */
export const early = {
  first: '0001_create_pets',
  schema: '0032_create_photos',
  asOf: '0013_backup',
}

/** The error for a store or a backup that only the last version before 1.0.0 can upgrade. */
export function tooEarly(
  database: string,
  advice = 'Start the last of those on it once, which upgrades it; then run this again.',
): OpenError {
  return configurationError(
    `${database} is of an older version before 1.0.0. Nothing was changed. ${advice}`,
  )
}

/** Throws `configuration` unless a store is of the last version before 1.0.0. */
export function requireEarly(applied: readonly string[], database: string): void {
  if (applied.includes(early.schema)) return
  if (applied.includes(early.first)) throw tooEarly(database)
  throw configurationError(
    `${database} is not a store of a version before 1.0.0. Nothing was changed. To put a backup in its place, say which: petstore restore FILE --replace`,
  )
}
