import type { Row, Sql } from '../db.ts'
import { type Compiled, where } from './condition.ts'

/** How a list is walked: `after` is the id behind which the page starts. */
export type PageRequest = { limit: number; sort: 'id' | '-id'; after: bigint | undefined }

/** What is read of which table. */
export type TableRef = { table: string; columns: string }

/** The rows of a page in the order of their ids: one more than `limit` when there is a next page. */
export async function selectPage(
  sql: Sql,
  { table, columns }: TableRef,
  { clauses, parameters }: Compiled,
  { limit, sort, after }: PageRequest,
  offset = 0,
): Promise<Row[]> {
  const bound = [...parameters]
  const all = [...clauses]
  if (after !== undefined) all.push(`id ${sort === 'id' ? '>' : '<'} ?${bound.push(after)}`)
  const direction = sort === 'id' ? 'asc' : 'desc'
  // Not the parameter alone: SQLite would plan the statement anew each time that it is bound. Not the number: PostgreSQL
  // may find that it is more than a table holds, and sort all of it, still when that has grown.
  const skipped = offset === 0 ? '' : ` offset ?${bound.push(offset)} + 0`
  const limited = `limit ?${bound.push(limit + 1)} + 0${skipped}`
  return sql.all(
    `select ${columns} from ${table} ${where(all)} order by id ${direction} ${limited}`,
    bound,
  )
}
