import { isCertain, requireAsWritten } from '../as-written.ts'
import { DamagedRow } from '../damaged-row.ts'
import type { Db, Query, Row, Scan, Sql } from '../db.ts'
import type { Condition } from './condition.ts'
import { countAll, countPrefix } from './count.ts'
import { probePage, searchPage } from './search.ts'
import type { Search } from './search-estimate.ts'
import { type PageRequest, selectPage, type TableRef } from './select-page.ts'

/** A page of records in order of ids. `next` is the id after which the next page starts, if there is one. */
export type Page<T> = {
  items: readonly T[]
  next: bigint | undefined
  total?: number | undefined
}

/** A record as JSON text of the database, sent unchanged. */
export type JsonText = string & { readonly isJson: true }

/** A list over one table. */
type List<Filter, Item> = {
  table: string
  columns: string
  /** The id column, if it is not the first. */
  idOf?(row: Row): bigint
  conditionsOf(filter: Filter): readonly Condition[]
  /** Throws DamagedRow. */
  itemOf(row: Row): Item
  /** For rows without an id: whether a row, with `idCheck` behind it, is valid, and how to read one that may not be. */
  closely?: { isSound(row: Row): boolean; columns: string; itemOf(row: Row): Item }
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
    list.conditionsOf(filter).some((condition) => 'startsWith' in condition)
  const key = ({ filter, page }: PageInput<Filter>) =>
    `${page.limit} ${page.sort} ${page.after} ${keyOf(list.conditionsOf(filter))}`
  return {
    isSearch,
    select: {
      key,
      async run(sql, inputs) {
        const pages: (Page<Item> | DamagedRow)[] = []
        for (const { filter, page } of inputs) {
          const conditions = list.conditionsOf(filter)
          const rows = await selectPage(sql, sourceOf(sql, list), conditions, page)
          pages.push(
            isSoundPage(list, rows, page)
              ? pageOf(rows, list, page)
              : await pageOrDamage(sql, list, page, (source) =>
                  selectPage(sql, source, conditions, page),
                ),
          )
        }
        return pages
      },
    },
    probe: {
      key,
      async run(sql, inputs) {
        const pages: (Page<Item> | DamagedRow | undefined)[] = []
        for (const input of inputs) {
          const rows = await probePage(sql, searchOf({ ...list, ...sourceOf(sql, list) }, input))
          pages.push(
            rows === undefined || isSoundPage(list, rows, input.page)
              ? rows && pageOf(rows, list, input.page)
              : await pageOrDamage(sql, list, input.page, (source) =>
                  probePage(sql, searchOf({ ...list, ...source }, input)),
                ),
          )
        }
        return pages
      },
    },
    search: {
      name: `${name}Search`,
      key,
      async run(sql, input, checkTime) {
        const checked = { ...list, ...sourceOf(sql, list) }
        const rows = await searchPage(sql, searchOf(checked, input), checkTime)
        if (isSoundPage(list, rows, input.page)) return pageOf(rows, list, input.page)
        return readClosely(sql, list, input.page, (source) =>
          searchPage(sql, searchOf({ ...list, ...source }, input), checkTime),
        )
      },
    },
    count: {
      name: `${name}Count`,
      key: (filter) => keyOf(list.conditionsOf(filter)),
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

function sourceOf(sql: Sql, { table, columns, closely }: List<never, unknown>): TableRef {
  return { table, columns: closely ? columns + sql.idCheck : columns }
}

/** Checks the rows of the page; the extra row only shows that there is a next page. */
function isSoundPage(
  { closely }: List<never, unknown>,
  rows: readonly Row[],
  { limit }: PageRequest,
): boolean {
  const isSound = closely?.isSound ?? isCertain
  for (let index = 0; index < rows.length && index < limit; index++) {
    if (!isSound(rows[index] as Row)) return false
  }
  return true
}

type SelectRows = (source: TableRef) => Promise<Row[] | undefined>

/** Reads a page with ids, where a row may be damaged. Throws DamagedRow. */
async function readClosely<Item>(
  sql: Sql,
  { table, columns, itemOf, closely }: List<never, Item>,
  page: PageRequest,
  select: SelectRows,
): Promise<Page<Item>> {
  const reading = closely ?? { columns, itemOf }
  const rows = (await select({ table, columns: reading.columns })) ?? []
  const read = pageOf(rows, { itemOf: reading.itemOf }, page)
  for (const row of rows.slice(0, page.limit)) {
    await requireAsWritten(sql, table, reading.columns, row)
  }
  return read
}

/** Returns damage as the result of this page alone: see `createSharedReads`. */
async function pageOrDamage<Item>(
  sql: Sql,
  list: List<never, Item>,
  page: PageRequest,
  select: SelectRows,
): Promise<Page<Item> | DamagedRow> {
  try {
    return await readClosely(sql, list, page, select)
  } catch (error) {
    if (error instanceof DamagedRow) return error
    throw error
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

function keyOf(conditions: readonly Condition[]): string {
  return conditions.map(keyPartOf).join(' ')
}

/** Texts are quoted, since they may contain the separators of the key. */
function keyPartOf(condition: Condition): string {
  const { column } = condition
  if ('startsWith' in condition) return `${column}^${JSON.stringify(condition.startsWith)}`
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
  const last = shown.at(-1)
  const next = last && rows.length > limit ? idOf(last) : undefined
  return { items: shown.map(itemOf), next }
}

function firstOf([id]: Row): bigint {
  return id as bigint
}
