import type { Sql } from '../../../db/db.ts'
import { configurationError } from '../../../db/errors.ts'

/** The most names that a message lists. */
const listedMax = 10

/**
 * Throws `configuration` for a store of before 1.0.0 with categories whose names look like those of others. To be deleted after
 * 1.0.0, with `src/db/schema/early.ts`.
 */
export async function requireUnlikeNames(
  { all }: Pick<Sql, 'all'>,
  database: string,
  then = 'run this again',
): Promise<void> {
  const alike = await all<[bigint, string]>(
    'select id, name from categories where canonical_name is null order by id',
  )
  if (alike.length === 0) return
  const names = alike.slice(0, listedMax).map(([id, name]) => `${JSON.stringify(name)} (id ${id})`)
  const more = alike.length > listedMax ? ` and ${alike.length - listedMax} more` : ''
  throw configurationError(
    `${database} has categories whose names look like those of others: ${names.join(', ')}${more}. Nothing was changed. Rename them with the version that made it, then ${then}.`,
  )
}
