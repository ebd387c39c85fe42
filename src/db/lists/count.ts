import { keyBehind } from '../../contract/name-key.ts'
import type { Sql } from '../seam.ts'
import { type Condition, compile, where, withoutIndex } from './condition.ts'

/** Rows between two looks at the clock. */
export const scanStep = 20_000

/** Counts along the ids, in steps, so that `checkTime` can end it. */
export async function countAll(
  sql: Sql,
  table: string,
  conditions: readonly Condition[],
  checkTime: () => void,
): Promise<number> {
  const { clauses, parameters } = compile(sql, conditions)
  const after = parameters.length + 1
  const text = `select count(*), max(id) from
    (select id from ${table} ${where([...clauses, `id > ?${after}`])} order by id limit ${scanStep}) as step`
  let total = 0
  let last: bigint | null = 0n
  while (last !== null) {
    checkTime()
    const [row]: [bigint, bigint | null][] = await sql.all<[bigint, bigint | null]>(text, [
      ...parameters,
      last,
    ])
    total += Number(row?.[0] ?? 0n)
    last = row?.[1] ?? null
  }
  return total
}

/** Counts along the keys of names, in steps. One of the conditions is a prefix. */
export async function countPrefix(
  sql: Sql,
  table: string,
  conditions: readonly Condition[],
  checkTime: () => void,
): Promise<number> {
  const others = conditions.filter((condition) => !('startsWith' in condition))
  const prefix = conditions.flatMap((one) => ('startsWith' in one ? one.startsWith : [])).join('')
  const { clauses, parameters } = compile(sql, withoutIndex(others))
  // A step begins where the one before ended, and nowhere else: a lower bound beside it would be begun at each time.
  clauses.push(`(name_key, id) > (?${parameters.push(prefix)}, ?${parameters.push(0n)})`)
  const place = parameters.length - 2
  const behind = keyBehind(prefix)
  if (behind !== undefined) clauses.push(`name_key < ?${parameters.push(behind)}`)
  const text = `with step as (
      select name_key, id from ${table} ${where(clauses)} order by name_key, id limit ${scanStep}
    )
    select (select count(*) from step), name_key, id from step order by name_key desc, id desc limit 1`
  let total = 0
  for (;;) {
    checkTime()
    const [row] = await sql.all<[bigint, string, bigint]>(text, parameters)
    if (!row) return total
    total += Number(row[0])
    parameters.splice(place, 2, row[1], row[2])
  }
}
