import type { Parameter, Sql, Value } from '../db.ts'
import { prefixEnd } from './prefix-end.ts'

/** A condition on a column: equal to a value, one of a set of ids, not null, or beginning with a text. */
export type Condition =
  | { column: string; equals: Value }
  | { column: string; anyOf: readonly bigint[] }
  | { column: string; isNull: false }
  | { column: string; startsWith: string }

export type Compiled = { clauses: string[]; parameters: Parameter[] }

/** Compiles conditions to clauses and parameters, numbered after the given ones. */
export function compile(
  sql: Sql,
  conditions: readonly Condition[],
  parameters: Parameter[] = [],
): Compiled {
  const bind = (parameter: Parameter) => `?${parameters.push(parameter)}`
  const clauses = conditions.flatMap((condition): string[] => {
    const { column } = condition
    if ('equals' in condition) return [`${column} = ${bind(condition.equals)}`]
    if ('anyOf' in condition) return [sql.isAnyOf(column, bind(sql.set(condition.anyOf)))]
    if ('isNull' in condition) return [`${column} is not null`]
    const behind = prefixEnd(condition.startsWith)
    const clause = `${column} >= ${bind(condition.startsWith)}`
    return behind === undefined ? [clause] : [clause, `${column} < ${bind(behind)}`]
  })
  return { clauses, parameters }
}

/**
 * The same conditions in a form that no index supports, so that the planner uses the other index, which reads far fewer
 * rows.
 */
export function withoutIndex(conditions: readonly Condition[]): Condition[] {
  return conditions.map((condition) => {
    const { column } = condition
    return { ...condition, column: `coalesce(${column}, ${column})` }
  })
}

export function where(clauses: readonly string[]): string {
  return clauses.length === 0 ? '' : `where ${clauses.join(' and ')}`
}
