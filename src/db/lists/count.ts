import type { Sql } from '../db.ts'
import { type Condition, compile, compileInOrder, where, withoutIndex } from './condition.ts'
import { prefixEnd } from './prefix-end.ts'

/** Rows between two checks of the deadline. */
export const scanStep = 20_000

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

/** Counts along the column that has a prefix, in steps. One of the conditions is that prefix. */
export async function countPrefix(
  sql: Sql,
  table: string,
  conditions: readonly Condition[],
  checkTime: () => void,
): Promise<number> {
  const others = conditions.filter((condition) => !('startsWith' in condition))
  const found = conditions.find((condition) => 'startsWith' in condition)
  if (!found) throw new Error(`No condition on ${table} is a prefix.`)
  const { column, startsWith: prefix } = found
  const { clauses, parameters } = compile(sql, withoutIndex(others))
  // The step's start replaces the prefix's lower bound: with both, each step would scan from the prefix's start.
  clauses.push(`(${column}, id) > (?${parameters.push(prefix)}, ?${parameters.push(0n)})`)
  const position = parameters.length - 2
  const behind = prefixEnd(prefix)
  if (behind !== undefined) clauses.push(`${column} < ?${parameters.push(behind)}`)
  const text = `with step as (
      select ${column}, id from ${table} ${where(clauses)} order by ${column}, id limit ${scanStep}
    )
    select (select count(*) from step), ${column}, id from step order by ${column} desc, id desc limit 1`
  let total = 0
  for (;;) {
    checkTime()
    const [row] = await sql.all<[bigint, string, bigint]>(text, parameters)
    if (!row) return total
    total += Number(row[0])
    parameters.splice(position, 2, row[1], row[2])
  }
}
