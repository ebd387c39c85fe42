import type { Db, Query, Row, Scan, Sql } from '../db.ts'
import { type DamagedRow, orDamage } from '../records/damaged-row.ts'
import {
  isNextByName,
  type NamePage,
  type NamePosition,
  positionOf,
  selectByName,
} from './by-name.ts'
import { type Condition, isOutOfOrder, splitConditions } from './condition.ts'
import { countRange, selectRange } from './search.ts'
import { countAll, type PageRequest, selectPage } from './select-page.ts'
import { countWords, selectWords } from './word-search.ts'

/** Where a page ends: at an id, or in the order of names. */
export type Position = bigint | NamePosition

/** Whether an order is that of names. */
export function isByName<Of extends { sort: unknown }>(of: Of): of is Of & NamePage {
  return of.sort === 'name' || of.sort === '-name'
}

/** The page that a client asks for. Only lists of records with names have an order of names. */
export type AnyPage = PageRequest | NamePage

/** A page of records. `next` is the position after which the next page starts, if there is one. */
export type Page<T> = {
  items: readonly T[]
  next: Position | undefined
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

type PageInput<Filter, P = AnyPage> = { filter: Filter; page: P }

/** The reads of a list: a page, a page of a search, and the count of matches. */
export type ListStatements<Filter, Item> = {
  isSearch(input: PageInput<Filter>): boolean
  select: Query<PageInput<Filter>, Page<Item>>
  /** A page of a search that reads few rows, else `undefined`. */
  probe: Query<PageInput<Filter>, Page<Item> | undefined>
  search: Scan<PageInput<Filter>, Page<Item>>
  count: Scan<Filter, number>
}

/** The input of a list verb. */
export type ListRequest<Filter, P = PageRequest> = PageInput<Filter, P> & {
  /** Whether to count the matches. */
  wantsTotal: boolean
}

/** One page of a list, with the count of all matches on request. Throws `unavailable` after too long. */
export async function readPage<Filter, Item>(
  db: Db,
  statements: ListStatements<Filter, Item>,
  { filter, page, wantsTotal }: ListRequest<Filter, AnyPage>,
): Promise<Page<Item>> {
  const input = { filter, page }
  const found = statements.isSearch(input)
    ? readSearch(db, statements, input)
    : db.read(statements.select, input)
  if (!wantsTotal) return found
  const [known, total] = await Promise.all([found, db.scan(statements.count, filter)])
  return { ...known, total }
}

/**
 * No index has the matches of a range in order of ids: unless found quickly, a search runs as a scan, outside of the
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
  const key = ({ filter, page }: PageInput<Filter>) =>
    `${page.limit} ${page.sort} ${placeOf(page)} ${keyOf(list.conditionsOf(filter))}`
  async function search(sql: Sql, { filter, page }: PageInput<Filter>, checkTime?: () => void) {
    if (isByName(page))
      return selectByName(sql, list, { conditions: list.conditionsOf(filter), page }, checkTime)
    const { words, range, ...rest } = searchOf(list, filter)
    if (words) return selectWords(sql, { ...rest, words, range, page }, checkTime)
    if (range) return selectRange(sql, { ...rest, range, page }, checkTime)
    throw new Error('A search has words, a text that records begin with, or a range.')
  }
  return {
    isSearch({ filter, page }) {
      const conditions = list.conditionsOf(filter)
      return isByName(page) ? !isNextByName(conditions) : conditions.some(isOutOfOrder)
    },
    select: {
      key,
      async run(sql, inputs) {
        const pages: (Page<Item> | DamagedRow)[] = []
        for (const { filter, page } of inputs) {
          const conditions = list.conditionsOf(filter)
          const rows = isByName(page)
            ? ((await selectByName(sql, list, { conditions, page })) as Row[])
            : await selectPage(sql, list, conditions, page)
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
          const rows = await search(sql, input)
          pages.push(rows && orDamage(() => pageOf(rows, list, input.page)))
        }
        return pages
      },
    },
    search: {
      name: `${name}Search`,
      key,
      async run(sql, input, checkTime) {
        return pageOf((await search(sql, input, checkTime)) as Row[], list, input.page)
      },
    },
    count: {
      name: `${name}Count`,
      key: (filter) => keyOf(list.conditionsOf(filter)),
      run(sql, filter, checkTime) {
        const { words, range, ...rest } = searchOf({ ...list, columns: 'id' }, filter)
        if (words) return countWords(sql, { ...rest, words, range }, checkTime)
        if (range) return countRange(sql, { ...rest, range }, checkTime)
        return countAll(sql, list.table, rest.others, checkTime)
      },
    },
  }
}

function searchOf<Filter>({ table, columns, conditionsOf }: List<Filter, unknown>, filter: Filter) {
  return { source: { table, columns }, ...splitConditions(conditionsOf(filter)) }
}

function keyOf(conditions: readonly Condition[]): string {
  return conditions.map(keyPartOf).join(' ')
}

/** Texts are quoted, since they may contain the separators of the key. */
function keyPartOf(condition: Condition): string {
  const { column } = condition
  if ('startsWith' in condition) return `${column}^${JSON.stringify(condition.startsWith)}`
  if ('from' in condition) return `${column}>=${condition.from}<${condition.below}`
  if ('begins' in condition) return `${column}~${JSON.stringify(condition.begins)}`
  if ('equals' in condition && typeof condition.equals === 'string')
    return `${column}=${JSON.stringify(condition.equals)}`
  return Object.values(condition).join('=')
}

function pageOf<Item>(
  rows: readonly Row[],
  { itemOf, idOf = firstOf }: Pick<List<never, Item>, 'itemOf' | 'idOf'>,
  page: AnyPage,
): Page<Item> {
  const { limit } = page
  const shown = rows.slice(0, limit)
  // First: a damaged row has no readable id.
  const items = shown.map(itemOf)
  const last = shown.at(-1)
  if (!last || rows.length <= limit) return { items, next: undefined }
  return { items, next: isByName(page) ? positionOf(last) : idOf(last) }
}

function placeOf(page: AnyPage): string {
  return isByName(page) && page.after
    ? `${page.after.id} ${JSON.stringify(page.after.name)}`
    : String(page.after)
}

function firstOf([id]: Row): bigint {
  return id as bigint
}
