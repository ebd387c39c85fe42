import type { Row, Sql, Value } from '../db.ts'
import {
  boundsOf,
  type Condition,
  compile,
  compileInOrder,
  type RangeCondition,
  where,
  withoutIndex,
} from './condition.ts'
import { type PageRequest, selectPage, type TableRef } from './select-page.ts'
import { scanStep } from './steps.ts'

/** A page of the records that begin with a text, or are within a range. Its order is by id. */
type Search = {
  source: TableRef
  range: RangeCondition
  others: readonly Condition[]
  page: PageRequest
}

/** The most records and matches that a probe reads: few enough for the serving thread. */
const probeMax = 256
/**
 * In a round, up to so many matches are sorted, else half as many records are walked, which costs as much where few match.
 * More matches are never sorted, since one statement cannot check the deadline.
 */
const rounds = [2_000, 8_000, 32_000, 125_000, 500_000, 1_000_000]

/**
 * The page, with one row more than `limit` when there is a next page. Without `checkTime` it is a probe, and `undefined` where a
 * few hundred records do not suffice.
 */
export function selectRange(
  sql: Sql,
  search: Search,
  checkTime?: () => void,
): Promise<Row[] | undefined> {
  return checkTime ? searchPage(sql, search, checkTime) : probePage(sql, search)
}

async function probePage(sql: Sql, search: Search): Promise<Row[] | undefined> {
  const rows = await selectNear(sql, search, probeMax)
  if (rows.length > search.page.limit) return rows
  const matches = await countMatches(sql, search, probeMax)
  if (matches === 0) return []
  return matches > probeMax ? undefined : sortMatches(sql, search)
}

/**
 * The page at any cost. Sorting reads all matches, walking reads all records until the page is full: rounds of growing
 * size sort or walk, so that a search costs little more than the cheaper way.
 */
async function searchPage(sql: Sql, search: Search, checkTime: () => void): Promise<Row[]> {
  const { source, range, others, page } = search
  const filter = [...withoutIndex([range]), ...others]
  const rows: Row[] = []
  let { after } = page
  for (let index = 0; ; index++) {
    checkTime()
    const sorted = rounds[index] ?? 0
    if ((await countMatches(sql, search, sorted)) <= sorted) return sortMatches(sql, search)
    const walked = sorted === 0 ? Number.POSITIVE_INFINITY : sorted / 2
    for (let left = walked; left > 0; left -= scanStep) {
      checkTime()
      const end = await endOfStep(sql, source, others, { ...page, after }, Math.min(left, scanStep))
      const limit = page.limit - rows.length
      rows.push(...(await selectPage(sql, source, filter, { ...page, after, limit, end })))
      if (rows.length > page.limit || end === undefined) return rows
      after = end
    }
  }
}

/** The matches among the next records in order of ids, at most one row more than `limit`. */
async function selectNear(
  sql: Sql,
  { source: { table, columns }, range, others, page: { limit, sort, after } }: Search,
  records: number,
): Promise<Row[]> {
  const compiled = compileInOrder(sql, others, { sort, after })
  const { clauses, parameters } = compiled
  const order = `order by ${compiled.order}`
  // Limits are parameters: for a literal above the table's size PostgreSQL may choose a sort, and keep that plan when
  // the table has grown.
  const near = `select * from ${table} ${where(clauses)} ${order} limit ?${parameters.push(records)} + 0`
  const matching = compile(sql, [range], parameters)
  return sql.all(
    `select ${columns} from (${near}) as near
    ${where(matching.clauses)} ${order} limit ?${parameters.push(limit + 1)} + 0`,
    parameters,
  )
}

/** Counts the matches of the range alone, up to `max + 1`. */
async function countMatches(sql: Sql, { source, range }: Search, max: number): Promise<number> {
  const { clauses, parameters } = compile(sql, [range])
  // Ordered, so that the planner does not scan the table for the first matches.
  const [row] = await sql.all<[bigint]>(
    `select count(*) from (select 1 from ${source.table} ${where(clauses)}
      order by ${range.column}, id limit ?${parameters.push(max + 1)} + 0) as matches`,
    parameters,
  )
  return Number(row?.[0] ?? 0n)
}

/** The page from all matches, in one statement, so that a concurrent rename cannot duplicate a record. */
async function sortMatches(
  sql: Sql,
  { source: { table, columns }, range, others, page: { limit, sort, after } }: Search,
): Promise<Row[]> {
  const { clauses, parameters } = compile(sql, [range, ...withoutIndex(others)])
  const isBehind =
    after === undefined ? [] : [`found ${sort === 'id' ? '>' : '<'} ?${parameters.push(after)}`]
  const direction = sort === 'id' ? 'asc' : 'desc'
  // The inner limit exceeds every table; it prevents a plan that walks the ids.
  return sql.all(
    `select ${columns} from (
      select found from
        (select id as found from ${table} ${where(clauses)} limit 1000000000) as matches
      ${where(isBehind)} order by found ${direction} limit ?${parameters.push(limit + 1)} + 0
    ) as page cross join ${table} where id = found order by id ${direction}`,
    parameters,
  )
}

/** Counts the matches of a search along its column, in steps. */
export async function countRange(
  sql: Sql,
  { source: { table }, range, others }: Omit<Search, 'page'>,
  checkTime: () => void,
): Promise<number> {
  const { clauses, parameters } = compile(sql, withoutIndex(others))
  // The step's start replaces the lower bound: with both, each step would scan from the start of the range.
  const { column } = range
  const { from, below } = boundsOf(range)
  clauses.push(`(${column}, id) > (?${parameters.push(from)}, ?${parameters.push(0n)})`)
  const position = parameters.length - 2
  if (below !== undefined) clauses.push(`${column} < ?${parameters.push(below)}`)
  const text = `with step as (
      select ${column}, id from ${table} ${where(clauses)} order by ${column}, id limit ${scanStep}
    )
    select (select count(*) from step), ${column}, id from step order by ${column} desc, id desc limit 1`
  let total = 0
  for (;;) {
    checkTime()
    const [row] = await sql.all<[bigint, Value, bigint]>(text, parameters)
    if (!row) return total
    total += Number(row[0])
    parameters.splice(position, 2, row[1], row[2])
  }
}

/** The last id of the next step; `undefined` when the list ends within it. */
export async function endOfStep(
  sql: Sql,
  { table }: TableRef,
  others: readonly Condition[],
  page: PageRequest,
  records: number,
): Promise<bigint | undefined> {
  const last = { ...page, limit: 0 }
  const [row] = await selectPage(sql, { table, columns: 'id' }, others, last, records - 1)
  return row?.[0] as bigint | undefined
}
