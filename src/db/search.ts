import { type Compiled, type Condition, compile, where, withoutIndex } from './condition.ts'
import { scanStep } from './count.ts'
import type { Row, Sql } from './seam.ts'
import { type PageRequest, type Place, selectPage } from './select-page.ts'

/** So many matches are sorted by their ids; where there are more, the next few are soon met along the ids. */
const sortedMax = 10_000

/** A page in the order of ids of what begins with a text: one row more than `limit` when there is a next page. */
export async function searchPage(
  sql: Sql,
  place: Place,
  conditions: readonly Condition[],
  page: PageRequest,
  checkTime: () => void,
): Promise<Row[]> {
  checkTime()
  const prefixes = conditions.filter((condition) => 'startsWith' in condition)
  const others = conditions.filter((condition) => !('startsWith' in condition))
  const { clauses, parameters } = compile(sql, prefixes)
  const [row] = await sql.all<[bigint]>(
    `select count(*) from (select 1 from ${place.table} ${where(clauses)} limit ${sortedMax + 1}) as matches`,
    parameters,
  )
  const isFew = (row?.[0] ?? 0n) <= BigInt(sortedMax)
  return isFew
    ? selectPage(sql, place, compile(sql, [...prefixes, ...withoutIndex(others)]), page)
    : walk(sql, place, prefixes, others, page, checkTime)
}

/** Looks at the records in the order of their ids, step by step, until the page is full. */
async function walk(
  sql: Sql,
  place: Place,
  prefixes: readonly Condition[],
  others: readonly Condition[],
  page: PageRequest,
  checkTime: () => void,
): Promise<Row[]> {
  const filter = [...withoutIndex(prefixes), ...others]
  const rows: Row[] = []
  let { after } = page
  for (;;) {
    checkTime()
    const end = await endOfStep(sql, place, compile(sql, others), { ...page, after })
    const { clauses, parameters } = compile(sql, filter)
    if (end !== undefined) {
      parameters.push(end)
      clauses.push(`id ${page.sort === 'id' ? '<=' : '>='} ?${parameters.length}`)
    }
    const limit = page.limit - rows.length
    rows.push(...(await selectPage(sql, place, { clauses, parameters }, { ...page, after, limit })))
    if (rows.length > page.limit || end === undefined) return rows
    after = end
  }
}

/** The last id of the next step; `undefined` when the list ends within it. */
async function endOfStep(
  sql: Sql,
  { table }: Place,
  compiled: Compiled,
  page: PageRequest,
): Promise<bigint | undefined> {
  const last = { ...page, limit: 0 }
  const [row] = await selectPage(sql, { table, columns: 'id' }, compiled, last, scanStep - 1)
  return row?.[0] as bigint | undefined
}
