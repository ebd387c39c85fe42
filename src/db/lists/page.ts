import { type DamagedRow, orDamage } from '../damaged-row.ts'
import type { Db, Query, Row, Scan } from '../db.ts'
import type { Condition } from './condition.ts'
import { countAll, countPrefix } from './count.ts'
import { probePage, searchPage } from './search.ts'
import type { Search } from './search-estimate.ts'
import { type PageRequest, selectPage } from './select-page.ts'
import { countWords, selectWords, type WordSearch } from './word-search.ts'

/** A page of records in order of ids. `next` is the id after which the next page starts, if there is one. */
export type Page<T> = {
  items: readonly T[]
  next: bigint | undefined
  total?: number | undefined
  /** Of a log: the id up to which it could be read. */
  position?: bigint | undefined
}

/** A record as JSON text of the database, sent unchanged. */
export type JsonText = string & { readonly isJson: true }

/** A list over one table. */
export type List<Filter, Item> = {
  table: string
  columns: string
  /** The id column, if it is not the first. */
  idOf?(row: Row): bigint
  conditionsOf(filter: Filter): readonly Condition[]
  /** Throws DamagedRow. */
  itemOf(row: Row): Item
}

type PageInput<Filter> = { filter: Filter; page: PageRequest }

/** The reads of a list: a page, a page of a search, and the count of matches. */
type ListStatements<Filter, Item> = {
  isSearch(filter: Filter): boolean
  select: Query<PageInput<Filter>, Page<Item>>
  /** A page of a search that reads few rows, else `undefined`. */
  probe: Query<PageInput<Filter>, Page<Item> | undefined>
  search: Scan<PageInput<Filter>, Page<Item>>
  count: Scan<Filter, number>
}

/** The input of a list verb. */
export type ListRequest<Filter> = PageInput<Filter> & {
  /** Whether to count the matches. */
  wantsTotal: boolean
}

/** One page of a list, with the count of all matches on request. Throws `unavailable` after too long. */
export async function readPage<Filter, Item>(
  db: Db,
  statements: ListStatements<Filter, Item>,
  { filter, page, wantsTotal }: ListRequest<Filter>,
): Promise<Page<Item>> {
  const input = { filter, page }
  const found = statements.isSearch(filter)
    ? readSearch(db, statements, input)
    : db.read(statements.select, input)
  if (!wantsTotal) return found
  const [known, total] = await Promise.all([found, db.scan(statements.count, filter)])
  return { ...known, total }
}

/**
 * No index has the matches of a prefix in order of ids: unless found quickly, a search runs as a scan, outside of the
 * serving thread.
 */
async function readSearch<Filter, Item>(
  db: Db,
  { probe, search }: ListStatements<Filter, Item>,
  input: PageInput<Filter>,
): Promise<Page<Item>> {
  return (await db.read(probe, input)) ?? (await db.scan(search, input))
}

/** The statements of a list; `name` is the prefix of its scans' names. */
export function listStatements<Filter, Item>(
  name: string,
  list: List<Filter, Item>,
): ListStatements<Filter, Item> {
  const isSearch = (filter: Filter) =>
    list
      .conditionsOf(filter)
      .some((condition) => 'startsWith' in condition || 'begins' in condition)
  const key = ({ filter, page }: PageInput<Filter>) =>
    `${page.limit} ${page.sort} ${page.after} ${keyOf(list.conditionsOf(filter))}`
  return {
    isSearch,
    select: {
      key,
      async run(sql, inputs) {
        const pages: (Page<Item> | DamagedRow)[] = []
        for (const { filter, page } of inputs) {
          const rows = await selectPage(sql, list, list.conditionsOf(filter), page)
          pages.push(orDamage(() => pageOf(rows, list, page)))
        }
        return pages
      },
    },
    probe: {
      key,
      async run(sql, inputs) {
        const pages: (Page<Item> | DamagedRow | undefined)[] = []
        for (const input of inputs) {
          const words = wordSearchOf(list, input)
          const rows = await (words
            ? selectWords(sql, words)
            : probePage(sql, searchOf(list, input)))
          pages.push(rows && orDamage(() => pageOf(rows, list, input.page)))
        }
        return pages
      },
    },
    search: {
      name: `${name}Search`,
      key,
      async run(sql, input, checkTime) {
        const words = wordSearchOf(list, input)
        const rows = await (words
          ? selectWords(sql, words, checkTime)
          : searchPage(sql, searchOf(list, input), checkTime))
        return pageOf(rows as Row[], list, input.page)
      },
    },
    count: {
      name: `${name}Count`,
      key: (filter) => keyOf(list.conditionsOf(filter)),
      run(sql, filter, checkTime) {
        const words = wordSearchOf({ ...list, columns: 'id' }, { filter })
        if (words) return countWords(sql, words, checkTime)
        const count = isSearch(filter) ? countPrefix : countAll
        return count(sql, list.table, list.conditionsOf(filter), checkTime)
      },
    },
  }
}

function searchOf<Filter>(
  { table, columns, conditionsOf }: List<Filter, unknown>,
  { filter, page }: PageInput<Filter>,
): Search {
  const conditions = conditionsOf(filter)
  const prefix = conditions.find((condition) => 'startsWith' in condition)
  if (!prefix) throw new Error('A search has a text that records begin with.')
  const others = conditions.filter((condition) => condition !== prefix)
  return { source: { table, columns }, prefix, others, page }
}

/** Undefined where the filter has no words. */
function wordSearchOf<Filter, Paging extends { page?: PageRequest }>(
  { table, columns, conditionsOf }: List<Filter, unknown>,
  { filter, ...paging }: Paging & { filter: Filter },
): (Omit<WordSearch, 'page'> & Omit<Paging, 'filter'>) | undefined {
  const conditions = conditionsOf(filter)
  const words = conditions.find((condition) => 'begins' in condition)
  if (!words) return undefined
  const prefix = conditions.find((condition) => 'startsWith' in condition)
  const others = conditions.filter((condition) => condition !== words && condition !== prefix)
  return { source: { table, columns }, words, prefix, others, ...paging }
}

function keyOf(conditions: readonly Condition[]): string {
  return conditions.map(keyPartOf).join(' ')
}

/** Texts are quoted, since they may contain the separators of the key. */
function keyPartOf(condition: Condition): string {
  const { column } = condition
  if ('startsWith' in condition) return `${column}^${JSON.stringify(condition.startsWith)}`
  if ('begins' in condition) return `${column}~${JSON.stringify(condition.begins)}`
  if ('equals' in condition && typeof condition.equals === 'string')
    return `${column}=${JSON.stringify(condition.equals)}`
  return Object.values(condition).join('=')
}

function pageOf<Item>(
  rows: readonly Row[],
  { itemOf, idOf = firstOf }: Pick<List<never, Item>, 'itemOf' | 'idOf'>,
  { limit }: PageRequest,
): Page<Item> {
  const shown = rows.slice(0, limit)
  // First: a damaged row has no readable id.
  const items = shown.map(itemOf)
  const last = shown.at(-1)
  return { items, next: last && rows.length > limit ? idOf(last) : undefined }
}

function firstOf([id]: Row): bigint {
  return id as bigint
}
