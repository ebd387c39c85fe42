import { type Condition, compile } from './condition.ts'
import { countAll, countPrefix } from './count.ts'
import type { Db, Query, Row, Scan } from './seam.ts'
import { searchPage } from './search.ts'
import { type PageRequest, selectPage } from './select-page.ts'

/** A page of records in the order of their ids; `next` is the id behind which the next one starts, where there is one. */
export type Page<T> = {
  items: readonly T[]
  next: bigint | undefined
  total?: number | undefined
}

/** A record as the database has written it: JSON text, to be sent as it is. */
export type JsonText = string & { readonly isJson: true }

/** A list over one table. */
type List<Filter, Item> = {
  table: string
  columns: string
  /** Where it is not the first of the columns. */
  idOf?(row: Row): bigint
  conditionsOf(filter: Filter): readonly Condition[]
  itemOf(row: Row): Item
}

type PageInput<Filter> = { filter: Filter; page: PageRequest }

/** What a list asks of the database: a page, a page of what begins with a text, and how many match. */
type ListStatements<Filter, Item> = {
  isSearch(filter: Filter): boolean
  select: Query<PageInput<Filter>, Page<Item>>
  search: Scan<PageInput<Filter>, Page<Item>>
  count: Scan<Filter, number>
}

/** What a verb that lists is given. */
export type ListRequest<Filter> = PageInput<Filter> & {
  /** Whether to tell how many records match. */
  wantsTotal: boolean
}

/** One page of a list, with the number of all that match where it is wanted. Throws `unavailable` where looking takes too long. */
export async function readPage<Filter, Item>(
  db: Db,
  { isSearch, select, search, count }: ListStatements<Filter, Item>,
  { filter, page, wantsTotal }: ListRequest<Filter>,
): Promise<Page<Item>> {
  const input = { filter, page }
  // No index gives what begins with a text in the order of ids, so it is not for the serving thread.
  const found = isSearch(filter) ? db.scan(search, input) : db.read(select, input)
  if (!wantsTotal) return found
  const [known, total] = await Promise.all([found, db.scan(count, filter)])
  return { ...known, total }
}

/** The statements of a list; `name` begins the names of its scans. */
export function listStatements<Filter, Item>(
  name: string,
  list: List<Filter, Item>,
): ListStatements<Filter, Item> {
  const isSearch = (filter: Filter) =>
    list.conditionsOf(filter).some((condition) => 'startsWith' in condition)
  return {
    isSearch,
    select: {
      key: ({ filter, page }) =>
        `${page.limit} ${page.sort} ${page.after} ${keyOf(list.conditionsOf(filter))}`,
      async run(sql, inputs) {
        const pages: Page<Item>[] = []
        for (const { filter, page } of inputs) {
          const compiled = compile(sql, list.conditionsOf(filter))
          pages.push(pageOf(await selectPage(sql, list, compiled, page), list, page))
        }
        return pages
      },
    },
    search: {
      name: `${name}Search`,
      async run(sql, { filter, page }, checkTime) {
        const conditions = list.conditionsOf(filter)
        return pageOf(await searchPage(sql, list, conditions, page, checkTime), list, page)
      },
    },
    count: {
      name: `${name}Count`,
      run: (sql, filter, checkTime) =>
        (isSearch(filter) ? countPrefix : countAll)(
          sql,
          list.table,
          list.conditionsOf(filter),
          checkTime,
        ),
    },
  }
}

function keyOf(conditions: readonly Condition[]): string {
  return conditions.map((condition) => Object.values(condition).join('=')).join(' ')
}

function pageOf<Item>(
  rows: readonly Row[],
  { itemOf, idOf = firstOf }: Pick<List<never, Item>, 'itemOf' | 'idOf'>,
  { limit }: PageRequest,
): Page<Item> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next = last && rows.length > limit ? idOf(last) : undefined
  return { items: shown.map(itemOf), next }
}

function firstOf([id]: Row): bigint {
  return id as bigint
}
