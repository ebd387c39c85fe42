import type { Row, Sql } from '../db.ts'
import { type Condition, compile, compileInOrder, where, withoutIndex } from './condition.ts'
import { scanStep } from './count.ts'
import { estimateSearch, type Search } from './search-estimate.ts'
import { type PageRequest, selectPage, type TableRef } from './select-page.ts'

/** The most records and matches that a probe reads: few enough for the serving thread. */
const probeMax = 256
/** Up to this many matches are sorted, and this many records walked, without an estimate. */
const sortedAtOnce = 2_000
const walkedAtOnce = 1_500
/** More matches are never sorted, since one statement cannot check the deadline. */
const sortedMax = 1_000_000

/**
 * A page in order of ids, with one row more than `limit` when there is a next page. Returns `undefined` where a few
 * hundred records do not suffice; then `searchPage` runs.
 */
export async function probePage(sql: Sql, search: Search): Promise<Row[] | undefined> {
  const rows = await selectNear(sql, search, probeMax)
  if (rows.length > search.page.limit) return rows
  const matches = await countMatches(sql, search, probeMax)
  if (matches === 0) return []
  return matches > probeMax ? undefined : sortMatches(sql, search)
}

/**
 * The same page at any cost. Sorting reads all matches, walking reads all records until the page is full; the strategy
 * with the lower estimate runs.
 */
export async function searchPage(sql: Sql, search: Search, checkTime: () => void): Promise<Row[]> {
  checkTime()
  const isSmall = (await countMatches(sql, search, sortedAtOnce)) <= sortedAtOnce
  if (isSmall) return sortMatches(sql, search)
  const near = await selectNear(sql, search, walkedAtOnce)
  if (near.length > search.page.limit) return near
  const { matches, recordsToWalk } = await estimateSearch(sql, search)
  const isSortable = matches <= sortedMax
  if (isSortable && matches < recordsToWalk) return sortMatches(sql, search)
  // The estimate may be wrong: the cost of sorting limits the walk.
  const recordsMax = isSortable ? 2 * matches : Number.POSITIVE_INFINITY
  return (await walk(sql, search, recordsMax, checkTime)) ?? sortMatches(sql, search)
}

/** The matches among the next records in order of ids, at most one row more than `limit`. */
async function selectNear(
  sql: Sql,
  { source: { table, columns }, prefix, others, page: { limit, sort, after } }: Search,
  records: number,
): Promise<Row[]> {
  const compiled = compileInOrder(sql, others, { sort, after })
  const { clauses, parameters } = compiled
  const order = `order by ${compiled.order}`
  // Limits are parameters: for a literal above the table's size PostgreSQL may choose a sort, and keep that plan when
  // the table has grown.
  const near = `select * from ${table} ${where(clauses)} ${order} limit ?${parameters.push(records)} + 0`
  const matching = compile(sql, [prefix], parameters)
  return sql.all(
    `select ${columns} from (${near}) as near
    ${where(matching.clauses)} ${order} limit ?${parameters.push(limit + 1)} + 0`,
    parameters,
  )
}

/** Counts the matches of the prefix alone, up to `max + 1`. */
async function countMatches(sql: Sql, { source, prefix }: Search, max: number): Promise<number> {
  const { clauses, parameters } = compile(sql, [prefix])
  // Ordered, so that the planner does not scan the table for the first matches.
  const [row] = await sql.all<[bigint]>(
    `select count(*) from (select 1 from ${source.table} ${where(clauses)}
      order by ${prefix.column}, id limit ?${parameters.push(max + 1)} + 0) as matches`,
    parameters,
  )
  return Number(row?.[0] ?? 0n)
}

/** The page from all matches, in one statement, so that a concurrent rename cannot duplicate a record. */
async function sortMatches(
  sql: Sql,
  { source: { table, columns }, prefix, others, page: { limit, sort, after } }: Search,
): Promise<Row[]> {
  const { clauses, parameters } = compile(sql, [prefix, ...withoutIndex(others)])
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

/** Reads records in order of ids, in steps; returns `undefined` where the page is incomplete after `recordsMax`. */
async function walk(
  sql: Sql,
  { source, prefix, others, page }: Search,
  recordsMax: number,
  checkTime: () => void,
): Promise<Row[] | undefined> {
  const filter = [...withoutIndex([prefix]), ...others]
  const rows: Row[] = []
  let { after } = page
  for (let left = recordsMax; left > 0; left -= scanStep) {
    checkTime()
    const records = Math.min(Math.ceil(left), scanStep)
    const end = await endOfStep(sql, source, others, { ...page, after }, records)
    const limit = page.limit - rows.length
    rows.push(...(await selectPage(sql, source, filter, { ...page, after, limit, end })))
    if (rows.length > page.limit || end === undefined) return rows
    after = end
  }
  return undefined
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
