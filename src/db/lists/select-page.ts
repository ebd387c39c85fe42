import type { Row, Sql } from '../db.ts'
import { type Condition, compileInOrder, where } from './condition.ts'
import { scanStep } from './steps.ts'

/** The position, size and order of a page of ids; it starts after the id `after`. */
export type PageRequest = { limit: number; sort: 'id' | '-id'; after: bigint | undefined }

/** A table and the columns to read. */
export type TableRef = { table: string; columns: string }

/** The rows of a page in order of ids, one more than `limit` when there is a next page. */
export async function selectPage(
  sql: Sql,
  { table, columns }: TableRef,
  conditions: readonly Condition[],
  { limit, ...range }: PageRequest & { end?: bigint | undefined },
  offset = 0,
): Promise<Row[]> {
  const { clauses, parameters, order } = compileInOrder(sql, conditions, range)
  // `?1 + 0`, since SQLite would replan a statement with a bare `limit ?1` at each bind. A literal limit above the
  // table's size could make PostgreSQL choose a sort, and keep that plan when the table has grown.
  const skipped = offset === 0 ? '' : ` offset ?${parameters.push(offset)} + 0`
  const limited = `limit ?${parameters.push(limit + 1)} + 0${skipped}`
  return sql.all(
    `select ${columns} from ${table} ${where(clauses)} order by ${order} ${limited}`,
    parameters,
  )
}

/** Counts along the ids, in steps, so that `checkTime` can end it. */
export async function countAll(
  sql: Sql,
  table: string,
  conditions: readonly Condition[],
  checkTime: () => void,
): Promise<number> {
  let total = 0
  let last: bigint | null = 0n
  while (last !== null) {
    checkTime()
    const range = { sort: 'id', after: last } as const
    const { clauses, parameters, order } = compileInOrder(sql, conditions, range)
    const [row]: [bigint, bigint | null][] = await sql.all<[bigint, bigint | null]>(
      `select count(*), max(id) from
      (select id from ${table} ${where(clauses)} order by ${order} limit ${scanStep}) as step`,
      parameters,
    )
    total += Number(row?.[0] ?? 0n)
    last = row?.[1] ?? null
  }
  return total
}
