import type { Int64 } from '../../../client/src/index.ts'
import { nameKeyOf } from '../../../src/contract/name-key.ts'
import { isSame } from '../base/is-same.ts'

/** Something with an id. */
export type Identified = { id: Int64; name?: unknown }

/** The order of a list: of ids, or of names and then of ids. */
export type Order = 'id' | '-id' | 'name' | '-name'

export function isByName(order: Order): boolean {
  return order.endsWith('name')
}

/**
 * `changed`: somebody changed it. `left`: it does not match the filters any more. `gone`: it was deleted. Those two keep
 * their positions until the reader has moved on.
 */
type RowMark = 'changed' | 'left' | 'gone'

export type Row<T> = { record: T; mark?: RowMark }

/**
 * The rows around those that are read, in the order of the list. There are never more than `rowsMax`: rows that are far
 * away are dropped, and fetched again by the id next to them.
 */
export type RecordWindow<T> = {
  rows: readonly Row<T>[]
  /** How far the first row is from the one that the window began with: negative once rows were put in front. */
  firstIndex: number
  hasBefore: boolean
  hasAfter: boolean
  /** In an order of names, where it goes on: no id leads there, and no row is dropped. */
  cursor?: string | undefined
  /** What the list shows now, where rows of that would move those which are held: some are new between them, or have left. */
  news?: Poll<T> | undefined
}

export const rowsMax = 1_000

/** A side of the rows. */
export type Side = 'before' | 'after'

/** Adds the page next to a side; `records` are in the order of the list. `isEnd`: the list ends with them. */
export function extend<T extends Identified>(
  window: RecordWindow<T>,
  side: Side,
  {
    records,
    isEnd,
    cursor,
  }: { records: readonly T[]; isEnd: boolean; cursor?: string | undefined },
): RecordWindow<T> {
  const { rows, firstIndex, hasBefore, hasAfter } = window
  const max = cursor === undefined ? rowsMax : Number.POSITIVE_INFINITY
  const added = unknownOf(window, records).map(unmarked)
  const dropped = Math.max(0, rows.length + added.length - max)
  return side === 'after'
    ? {
        ...window,
        cursor,
        rows: [...rows, ...added].slice(dropped),
        firstIndex: firstIndex + dropped,
        hasBefore: hasBefore || dropped > 0,
        hasAfter: !isEnd,
      }
    : {
        ...window,
        cursor,
        rows: [...added, ...rows].slice(0, max),
        firstIndex: firstIndex - added.length,
        hasBefore: !isEnd,
        hasAfter: hasAfter || dropped > 0,
      }
}

/** What a poll of a part of the list has found. */
export type Poll<T> = {
  order: Order
  /** The records from that one on, in the order of the list; `undefined` where it began with the list. */
  fromId: Int64 | undefined
  records: readonly T[]
  /** Whether the list ends with these records. */
  isEnd: boolean
  /** Records that are missing there, as they are now. */
  elsewhere: readonly T[]
}

/** The rows that a poll covers: those that it did not find have left the list, or are gone. */
export function rowsOf<T extends Identified>(
  { rows }: RecordWindow<T>,
  { order, fromId, records, isEnd }: Omit<Poll<T>, 'elsewhere'>,
): readonly Row<T>[] {
  const from = fromId === undefined ? 0 : indexOf(rows, fromId)
  const last = records.at(-1)
  if (from === -1) return []
  if (isEnd || last === undefined) return rows.slice(from)
  const beyond = rows.findIndex(
    ({ record }, index) => index >= from && compare(record, last, order) > 0,
  )
  return rows.slice(from, beyond === -1 ? rows.length : beyond)
}

/**
 * Brings rows up to date without moving any: their values change, what is missing is marked, what is new between rows is
 * held back. What is new behind the last row of the list is added.
 */
export function refresh<T extends Identified>(
  window: RecordWindow<T>,
  poll: Poll<T>,
): RecordWindow<T> {
  const covered = new Set(rowsOf(window, poll))
  const found = byId(poll.records)
  const elsewhere = byId(poll.elsewhere)
  const rows = window.rows.map((row) => {
    const id = String(row.record.id)
    return covered.has(row) ? refreshedRow(row, found.get(id), elsewhere.get(id)) : row
  })
  const unknown = unknownOf(window, poll.records)
  const between = betweenRows(window, poll)
  const last = window.rows.at(-1)
  const isAtEnd = !window.hasAfter && (last === undefined || covered.has(last))
  const behind = isAtEnd ? unknown.filter((record) => !between.includes(record)) : []
  const hasNews = between.length > 0 || rows.some(isMissing)
  // News of another part of the list is not settled by this poll.
  const isOfOther = poll.fromId !== undefined && window.news?.fromId !== poll.fromId
  return {
    ...window,
    rows: [...rows, ...behind.map(unmarked)],
    hasAfter: window.hasAfter || (isAtEnd && !poll.isEnd),
    news: hasNews ? poll : isOfOther ? window.news : undefined,
  }
}

/** What a poll has found that belongs between rows, and would move them. */
export function betweenRows<T extends Identified>(
  window: RecordWindow<T>,
  { records, order }: Poll<T>,
): readonly T[] {
  const last = window.rows.at(-1)
  return unknownOf(window, records).filter(
    (record) => last !== undefined && compare(record, last.record, order) < 0,
  )
}

/** Whether a row is not in the list any more. */
export function isMissing({ mark }: Row<unknown>): boolean {
  return mark === 'gone' || mark === 'left'
}

function refreshedRow<T extends object>(row: Row<T>, found?: T, elsewhere?: T): Row<T> {
  if (found !== undefined) {
    return isSame(found, row.record) && !isMissing(row) ? row : { record: found, mark: 'changed' }
  }
  if (isMissing(row)) return row
  return elsewhere === undefined
    ? { record: row.record, mark: 'gone' }
    : { record: elsewhere, mark: 'left' }
}

/** Removes what is missing, and shows the news. The rows above those that the news is of keep their positions. */
export function settle<T extends Identified>(window: RecordWindow<T>): RecordWindow<T> {
  const { rows, firstIndex, hasBefore, news } = window
  if (news === undefined) return window
  if (isByName(news.order)) {
    const shown = rows.filter((row) => !isMissing(row))
    const all = [...shown, ...betweenRows(window, news).map(unmarked)]
    const sorted = all.sort((one, other) => compare(one.record, other.record, news.order))
    return { ...window, rows: sorted, news: undefined }
  }
  const { fromId, records, isEnd } = news
  const from = fromId === undefined ? 0 : Math.max(0, indexOf(rows, fromId))
  const above = rows.slice(0, from).filter((row) => !isMissing(row))
  return {
    rows: [...above, ...records.map(unmarked)],
    firstIndex: firstIndex + from - above.length,
    hasBefore: hasBefore && fromId !== undefined,
    hasAfter: !isEnd,
  }
}

/** Shows a record as it is now, if it is among the rows. */
export function put<T extends Identified>(window: RecordWindow<T>, record: T): RecordWindow<T> {
  const index = indexOf(window.rows, record.id)
  return index === -1 ? window : { ...window, rows: window.rows.with(index, { record }) }
}

/** Inserts a record that the reader has added, if its position is among the rows. */
export function insert<T extends Identified>(
  window: RecordWindow<T>,
  record: T,
  order: Order,
): RecordWindow<T> {
  const { rows, hasBefore, hasAfter, firstIndex } = window
  if (indexOf(rows, record.id) !== -1) return put(window, record)
  const later = rows.findIndex((row) => compare(row.record, record, order) > 0)
  const index = later === -1 ? rows.length : later
  if ((index === 0 && hasBefore) || (index === rows.length && hasAfter)) return window
  return {
    ...window,
    rows: rows.toSpliced(index, 0, { record }),
    firstIndex: index === 0 && rows.length > 0 ? firstIndex - 1 : firstIndex,
  }
}

/** Marks a record as gone, if it is among the rows. */
export function markGone<T extends Identified>(
  window: RecordWindow<T>,
  id: Int64,
): RecordWindow<T> {
  const { rows } = window
  const isGone = (row: Row<T>) => row.record.id === id
  return { ...window, rows: rows.map((row) => (isGone(row) ? { ...row, mark: 'gone' } : row)) }
}

function compare(one: Identified, other: Identified, order: Order): number {
  const [key, otherKey] = isByName(order) ? [keyOf(one), keyOf(other)] : ['', '']
  const isSmaller = key === otherKey ? one.id < other.id : key < otherKey
  const sign = one.id === other.id ? 0 : isSmaller ? -1 : 1
  return order.startsWith('-') ? -sign : sign
}

const keyOf = ({ name }: Identified) => nameKeyOf(String(name))

/** The index of a row; -1 where there is none with this id. */
export function indexOf<T extends Identified>(rows: readonly Row<T>[], id?: Int64): number {
  return rows.findIndex(({ record }) => record.id === id)
}

function unknownOf<T extends Identified>({ rows }: RecordWindow<T>, records: readonly T[]): T[] {
  const known = new Set(rows.map(({ record }) => String(record.id)))
  return records.filter(({ id }) => !known.has(String(id)))
}

function byId<T extends Identified>(records: readonly T[]): Map<string, T> {
  return new Map(records.map((record) => [String(record.id), record]))
}

function unmarked<T>(record: T): Row<T> {
  return { record }
}
