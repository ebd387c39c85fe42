import type { Parameter, Query, Row, Scan, Sql, Value } from './seam.ts'

/** How a list is walked: `after` is the id behind which the page starts. */
export type PageRequest = { limit: number; sort: 'id' | '-id'; after: bigint | undefined }

/** A page of records in the order of their ids, and what is known of the rest of the list. */
export type Page<T> = { items: readonly T[]; hasMore: boolean; total?: number | undefined }

/** A condition on a column: equal to a value, or one of a set of ids. */
type Condition = { column: string; equals: Value } | { column: string; anyOf: readonly bigint[] }

export type List<Filter, Item> = {
  table: string
  columns: string
  conditionsOf(filter: Filter): readonly Condition[]
  itemOf(row: Row): Item
}

/** The query that answers a page of a list. */
export function pageQuery<Filter, Item>(
  list: List<Filter, Item>,
): Query<{ filter: Filter; page: PageRequest }, Page<Item>> {
  return {
    key: ({ filter, page }) =>
      `${page.limit} ${page.sort} ${page.after} ${keyOf(list.conditionsOf(filter))}`,
    run: (sql, inputs) =>
      Promise.all(
        inputs.map(async ({ filter, page }) => {
          const rows = await selectPage(sql, list, list.conditionsOf(filter), page)
          return {
            items: rows.slice(0, page.limit).map(list.itemOf),
            hasMore: rows.length > page.limit,
          }
        }),
      ),
  }
}

/** The scan that counts all records of a list that match. */
export function countScan<Filter>(name: string, list: List<Filter, unknown>): Scan<Filter, number> {
  return {
    name,
    run: (sql, filter, checkTime) =>
      countRows(sql, list.table, list.conditionsOf(filter), checkTime),
  }
}

function keyOf(conditions: readonly Condition[]): string {
  return conditions
    .map(
      (condition) =>
        `${condition.column}=${'equals' in condition ? condition.equals : condition.anyOf}`,
    )
    .join(' ')
}

/** One row more than `limit` when there is a next page. */
async function selectPage(
  sql: Sql,
  { table, columns }: Pick<List<unknown, unknown>, 'table' | 'columns'>,
  conditions: readonly Condition[],
  { limit, sort, after }: PageRequest,
): Promise<Row[]> {
  const { clauses, parameters } = compile(sql, conditions)
  if (after !== undefined) {
    parameters.push(after)
    clauses.push(`id ${sort === 'id' ? '>' : '<'} ?${parameters.length}`)
  }
  parameters.push(limit + 1)
  const direction = sort === 'id' ? 'asc' : 'desc'
  return sql.all(
    `select ${columns} from ${table} ${where(clauses)} order by id ${direction} limit ?${parameters.length}`,
    parameters,
  )
}

/** Rows between two looks at the clock. */
const countStep = 20_000

/** Counts in steps, so that `checkTime` can end it. */
async function countRows(
  sql: Sql,
  table: string,
  conditions: readonly Condition[],
  checkTime: () => void,
): Promise<number> {
  const { clauses, parameters } = compile(sql, conditions)
  const after = parameters.length + 1
  const text = `select count(*), max(id) from
    (select id from ${table} ${where([...clauses, `id > ?${after}`])} order by id limit ${countStep}) as step`
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

function compile(sql: Sql, conditions: readonly Condition[]) {
  const parameters: Parameter[] = []
  const clauses = conditions.map((condition) => {
    parameters.push('equals' in condition ? condition.equals : sql.set(condition.anyOf))
    const parameter = `?${parameters.length}`
    return 'equals' in condition
      ? `${condition.column} = ${parameter}`
      : sql.isAnyOf(condition.column, parameter)
  })
  return { clauses, parameters }
}

function where(clauses: readonly string[]): string {
  return clauses.length === 0 ? '' : `where ${clauses.join(' and ')}`
}
