import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Int64 } from '../../../client/src/index.ts'
import { following, noteChanges } from '../api/following.ts'
import { queryClient } from '../api/query-client.ts'
import { neighbourOf, parseId } from '../base/int64-text.ts'
import { useFilter } from '../filters/use-address.ts'
import {
  extend,
  type Identified,
  indexOf,
  insert,
  isByName,
  isMissing,
  markGone,
  type Order,
  put,
  type RecordWindow,
  refresh,
  rowsOf,
  type Side,
  settle,
} from './record-window.ts'

/** A page of records, the most that the service sends at once. */
const pageSize = 100

/** Of a page; or of records with these ids, whatever the filters. */
type ListQuery = Place & { limit: number; sort?: 'id' | '-id' }
/** What a page is next to, or the ids of its records. */
type Place = { after?: Int64 | undefined; cursor?: string | undefined; id?: Int64[] }
type ListOptions = { signal?: AbortSignal | undefined }
type ListPage<T> = { data: readonly T[]; nextCursor: string | undefined }
type Page<T> = { records: readonly T[]; isEnd: boolean; cursor?: string | undefined }

/** A list of the service that pages by id, or by name; `reader` fetches it. */
type Source<T> = {
  /** Names the list with its filters. */
  key: QueryKey
  /** What its rows show, such as `pet`: where one of those changes, they are fetched again. */
  kinds: readonly string[]
  order: Order
  filter?: object
  fetch(query: ListQuery, options: ListOptions): PromiseLike<ListPage<T>>
}

/** Fetches the page next to a side of a place, in the order of the list; without one, that at the end of the list. */
async function fetchPage<T>(
  { filter, fetch, order }: Source<T>,
  side: Side,
  place: Place,
  signal?: AbortSignal,
): Promise<Page<T>> {
  const sort = side === 'after' ? order : opposite[order]
  // Only lists of records with names have an order of names.
  const query = { ...filter, ...place, sort, limit: pageSize } as ListQuery
  const { data, nextCursor } = await fetch(query, { signal })
  return {
    records: side === 'after' ? data : data.toReversed(),
    isEnd: nextCursor === undefined,
    cursor: isByName(order) ? (nextCursor ?? '') : undefined,
  }
}

const opposite = { id: '-id', '-id': 'id', name: '-name', '-name': 'name' } as const

export type RecordList<T> = {
  window: RecordWindow<T>
  /** Names the list with its filters and the id that it begins at. */
  address: string
  /** Changes when the list begins anew. */
  name: string
  beginning: Beginning
  order: Order
  state: 'loading' | 'ready' | 'failed'
  /** The rows are those of other filters, until the right ones arrive. */
  isStale: boolean
  error: unknown
  retry(): void
  loadAfter(): void
  loadBefore(): void
  /** Which rows are in view; they are kept up to date. */
  setView(view: View): void
  /** These show what was changed here, if it is among the rows, or belongs there. */
  put(record: T): void
  insert(record: T): void
  markGone(id: Int64): void
  /** Brings the rows up to date. */
  settle(): void
  /** Begins again: with the first record of the list, or with the last one. */
  begin(where: 'start' | 'end'): void
}

type Update<T> = (window: RecordWindow<T>) => RecordWindow<T>

type View = { firstId: Int64 | undefined; isAtStart: boolean }

/** Where a list begins: at the id in the address, at the first record, or at the last one. */
type Beginning = 'at' | 'start' | 'end'

/** A list of any length of which the rows around the view are held, and kept up to date. */
export function useRecordList<T extends Identified>(source: Source<T>): RecordList<T> {
  const { key, kinds, order } = source
  const [at] = useFilter('at')
  const view = useRef<View>({ firstId: undefined, isAtStart: true })
  const address = JSON.stringify([...key, order, at ?? ''])
  const { where, count, begin } = useBeginning(address)
  const queryKey = ['list', address, where, count]
  const shown = () => queryClient.getQueryData<RecordWindow<T>>(queryKey)

  const { data, isPlaceholderData, isError, error, refetch } = useQuery({
    ...following<RecordWindow<T>>(kinds),
    queryKey,
    async queryFn({ signal }) {
      const window = shown()
      if (window === undefined) return fetchStart(source, { where, at }, signal)
      const poll = await pollRows(source, window, view.current, signal)
      return refresh(shown() ?? window, poll)
    },
    placeholderData: keepPreviousData,
    gcTime: 0,
  })

  const update = (change: Update<T>) => changeShown(queryKey, change)
  function changeHere(change: Update<T>) {
    // A poll that began before the change does not know of it.
    void queryClient.cancelQueries({ queryKey })
    update(change)
    noteChanges(kinds)
  }
  const edges = useEdges(source, isPlaceholderData ? undefined : data, update)

  return {
    window: data ?? emptyWindow,
    address,
    name: JSON.stringify(queryKey),
    beginning: where,
    order,
    state: data !== undefined ? 'ready' : isError ? 'failed' : 'loading',
    isStale: isPlaceholderData,
    error,
    retry: () => void refetch(),
    ...edges,
    setView: (seen) => {
      view.current = seen
    },
    put: (record) => changeHere((window) => put(window, record)),
    insert: (record) => changeHere((window) => insert(window, record, order)),
    markGone: (id) => changeHere((window) => markGone(window, id)),
    settle: () => update(settle),
    begin,
  }
}

/** Where the list of this address begins, and how often that was chosen: another list, or another id to begin at, begins there. */
function useBeginning(address: string) {
  const first = { address, where: 'at' as Beginning, count: 0 }
  const [last, setLast] = useState(first)
  const { where, count } = last.address === address ? last : first
  return {
    where,
    count,
    begin: (where: Beginning) => setLast(({ count }) => ({ address, where, count: count + 1 })),
  }
}

/** Fetches the pages next to the rows that are held, each once at a time. */
function useEdges<T extends Identified>(
  source: Source<T>,
  window: RecordWindow<T> | undefined,
  update: (change: Update<T>) => void,
) {
  const loading = useRef(new Set<Side>())
  function load(side: Side) {
    const edge = side === 'after' ? window?.rows.at(-1) : window?.rows[0]
    if (edge === undefined || loading.current.has(side)) return
    loading.current.add(side)
    const { cursor } = window ?? {}
    fetchPage(source, side, cursor === undefined ? { after: edge.record.id } : { cursor })
      // Where it fails, the next scroll or the next poll tries again.
      .then(
        (page) => update((window) => extend(window, side, page)),
        () => undefined,
      )
      .then(() => loading.current.delete(side))
  }
  return {
    loadAfter: () => window?.hasAfter && load('after'),
    loadBefore: () => window?.hasBefore && load('before'),
  }
}

/** Changes the rows that are shown. Where those were outdated, they still are. */
function changeShown<T>(queryKey: QueryKey, change: Update<T>): void {
  const isOutdated = queryClient.getQueryState(queryKey)?.isInvalidated
  queryClient.setQueryData<RecordWindow<T>>(queryKey, (window) => window && change(window))
  if (isOutdated) void queryClient.invalidateQueries({ queryKey, refetchType: 'none' })
}

const emptyWindow = { rows: [], firstIndex: 0, hasBefore: false, hasAfter: false }

async function fetchStart<T extends Identified>(
  source: Source<T>,
  { where, at = '' }: { where: Beginning; at: string | undefined },
  signal: AbortSignal,
): Promise<RecordWindow<T>> {
  const id = where === 'at' && !isByName(source.order) ? parseId(at) : undefined
  const side = where === 'end' ? 'before' : 'after'
  const page = await fetchPage(source, side, inFrontOf(id, source.order), signal)
  return { ...extend({ ...emptyWindow, hasBefore: id !== undefined }, side, page), firstIndex: 0 }
}

/** Fetches the rows in view again: one page from the first of them on. */
async function pollRows<T extends Identified>(
  source: Source<T>,
  window: RecordWindow<T>,
  { firstId, isAtStart }: View,
  signal: AbortSignal,
) {
  const { order } = source
  const fromId = isAtStart && !window.hasBefore ? undefined : firstId
  const from = fromId === undefined ? -1 : indexOf(window.rows, fromId)
  // No id leads to a place in the order of names: there the rows in view are read by their ids.
  const inView = isByName(order) && from !== -1 ? window.rows.slice(from, from + pageSize) : []
  const place =
    inView.length === 0 ? inFrontOf(fromId, order) : { id: inView.map(({ record }) => record.id) }
  const page = await fetchPage(source, 'after', place, signal)
  const isWhole = inView.length === 0 || (!window.hasAfter && window.rows.at(-1) === inView.at(-1))
  const seen = { order, fromId, ...page, isEnd: page.isEnd && isWhole }
  const found = new Set(page.records.map(({ id }) => id))
  const missing = rowsOf(window, seen)
    .filter((row) => !found.has(row.record.id) && !isMissing(row))
    .map(({ record }) => record.id)
    .slice(0, pageSize)
  const elsewhere =
    missing.length === 0
      ? []
      : (await source.fetch({ id: missing, limit: pageSize }, { signal })).data
  return { ...seen, elsewhere }
}

/** Where a page begins with a record; for the first page of the list without one. */
function inFrontOf(id: Int64 | undefined, order: Order): Place {
  if (id === undefined || isByName(order)) return {}
  return { after: neighbourOf(id, order === 'id' ? -1 : 1) }
}
