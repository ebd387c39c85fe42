import type { Parameter, Sql, Value } from '../db.ts'
import type { WordIndex } from './word-index.ts'

/**
 * A condition on a column: equal to a value, one of a set of ids, not null, beginning with a text, from a number on and below
 * another one, or with a word that begins with each of these.
 */
export type Condition =
  | { column: string; equals: Value }
  | { column: string; anyOf: readonly bigint[] }
  | { column: string; isNull: false }
  | { column: string; startsWith: string }
  | { column: string; from: bigint; below: bigint | undefined }
  | { column: string; begins: readonly string[]; index: WordIndex }

/** Its matches are beside each other in an index on (column, id). */
export type RangeCondition = Extract<Condition, { startsWith: string } | { from: bigint }>

function isRange(condition: Condition): condition is RangeCondition {
  return 'startsWith' in condition || 'from' in condition
}

/** The first value that matches, and the first one behind those; `undefined` where there is none. */
export function boundsOf(range: RangeCondition) {
  return 'from' in range ? range : { from: range.startsWith, below: prefixEnd(range.startsWith) }
}

/** Whether a value of the column matches. */
export function isInRange(value: Value, range: RangeCondition): boolean {
  if ('startsWith' in range) return String(value).startsWith(range.startsWith)
  const number = value as bigint
  return number >= range.from && (range.below === undefined || number < range.below)
}

/** Whether no index has the matches in the order of ids. */
export function isOutOfOrder(condition: Condition): boolean {
  return isRange(condition) || 'begins' in condition
}

/** Separates the conditions on words and on a range, one of each at most, from the others. */
export function splitConditions(conditions: readonly Condition[]) {
  const words = conditions.find((condition) => 'begins' in condition)
  const range = conditions.find(isRange)
  const others = conditions.filter((condition) => condition !== words && condition !== range)
  return { words, range, others }
}

type Compiled = { clauses: string[]; parameters: Parameter[] }

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
    if ('begins' in condition) throw new Error(`SQL cannot compare the words of ${column}.`)
    const { from, below } = boundsOf(condition)
    const clause = `${column} >= ${bind(from)}`
    return below === undefined ? [clause] : [clause, `${column} < ${bind(below)}`]
  })
  return { clauses, parameters }
}

/** Conditions, and the order of the matching rows. */
type CompiledInOrder = Compiled & { order: string }

/** The part of the order of ids to read: after an id, and up to another one inclusive. */
type Range = { sort: 'id' | '-id'; after?: bigint | undefined; end?: bigint | undefined }

/**
 * Compiles conditions, a range of ids and the order of ids. The last column with `equals` must be the one that an index has
 * right before the ids.
 */
export function compileInOrder(
  sql: Sql,
  conditions: readonly Condition[],
  { sort, after, end }: Range,
): CompiledInOrder {
  const isAscending = sort === 'id'
  const direction = isAscending ? 'asc' : 'desc'
  const [behind, from, upTo] = isAscending ? ['>', '>=', '<='] : ['<', '<=', '>=']
  const last = sql.isPlannedOnce ? lastEqual(conditions) : undefined
  const others = conditions.filter((condition) => condition !== last)
  const { clauses, parameters } = compile(sql, others)
  const bind = (parameter: Parameter) => `?${parameters.push(parameter)}`
  if (!last) {
    if (after !== undefined) clauses.push(`id ${behind} ${bind(after)}`)
    if (end !== undefined) clauses.push(`id ${upTo} ${bind(end)}`)
    return { clauses, parameters, order: `id ${direction}` }
  }
  // With `column = value`, a planner that does not know the value may read the table in the order of ids until enough rows
  // match, possibly all of it. Only the index on (…, column, id) has the order below, so the planner takes that one.
  const { column } = last
  const value = bind(last.equals)
  const compare = (operator: string, id?: bigint) =>
    id === undefined
      ? `${column} ${operator} ${value}`
      : `(${column}, id) ${operator} (${value}, ${bind(id)})`
  clauses.push(compare(after === undefined ? from : behind, after), compare(upTo, end))
  return { clauses, parameters, order: `${column} ${direction}, id ${direction}` }
}

/** Undefined when ids are given: they are few, and are looked up one by one. */
function lastEqual(conditions: readonly Condition[]) {
  if (conditions.some((condition) => 'anyOf' in condition)) return undefined
  return conditions.findLast((condition) => 'equals' in condition)
}

/**
 * The same conditions in a form that no index supports, so that the planner uses the index of the other conditions, or of
 * the order, which reads far fewer rows.
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

/** The first text that sorts after all texts with this prefix; `undefined` when there is none. */
function prefixEnd(prefix: string): string | undefined {
  const points = Array.from(prefix, (point) => point.codePointAt(0) as number)
  while (points.length > 0) {
    const last = points.pop() as number
    if (last < 0x10ffff) {
      // Skips lone surrogates, which no text contains.
      return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1)
    }
  }
  return undefined
}
