import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query'
import { useReducer, useRef } from 'react'
import type { Int64 } from '../../../client/src/index.ts'
import { following, noteChanges } from '../api/following.ts'
import { queryClient } from '../api/query-client.ts'
import { neighbourOf, parseId } from '../base/int64-text.ts'
import { useFilter } from '../filters/use-address.ts'
import {
  append,
  type Identified,
  type Order,
  prepend,
  type RecordWindow,
  refresh,
  rowsOf,
  settle,
} from './record-window.ts'

/** A page of records, the most that the service sends at once. */
const pageSize = 100

/** Of a page; or of records with these ids, whatever the filters. */
type ListQuery = { limit: number; sort?: Order; after?: Int64; id?: Int64[] }
type ListOptions = { signal?: AbortSignal | undefined }
type ListPage<T> = { data: readonly T[]; nextCursor: string | undefined }

/** A list of the service that pages by id; `reader` fetches it. */
type Source<T> = {
  /** Names the list with its filters. */
  key: QueryKey
  /** What its rows show, such as `pet`: where one of those changes, they are fetched again. */
  kinds: readonly string[]
  order: Order
  filter?: object
  fetch(query: ListQuery, options: ListOptions): PromiseLike<ListPage<T>>
}

function fetchPage<T>({ filter, fetch }: Source<T>, page: ListQuery, signal?: AbortSignal) {
  return fetch({ ...filter, ...page }, { signal })
}

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
  /** Shows what was changed here. */
  change(update: Update<T>): void
  /** Brings the rows up to date, of which that of `anchorId` keeps its position. */
  settle(anchorId: Int64 | undefined): void
  /** Begins again: with the first record of the list, or with the last one. */
  begin(where: 'start' | 'end'): void
}

export type Update<T> = (window: RecordWindow<T>) => RecordWindow<T>

type View = { firstId: Int64 | undefined; isAtStart: boolean }

/** Where a list begins: at the id in the address, at the first record, or at the last one. */
type Beginning = 'at' | 'start' | 'end'

type Chosen = { address: string; where: Beginning; count: number }

function chooseBeginning(last: Chosen, next: Omit<Chosen, 'count'>): Chosen {
  return { ...next, count: last.count + 1 }
}

/** A list of any length of which the rows around the view are held, and kept up to date. */
export function useRecordList<T extends Identified>(source: Source<T>): RecordList<T> {
  const { key, kinds, order } = source
  const [at] = useFilter('at')
  const view = useRef<View>({ firstId: undefined, isAtStart: true })
  const loading = useRef(new Set<'before' | 'after'>())
  const address = JSON.stringify([...key, order, at ?? ''])
  const [chosen, choose] = useReducer(chooseBeginning, { address: '', where: 'at', count: 0 })
  // Another list, or another id to begin at, begins there.
  const { where, count } = chosen.address === address ? chosen : { where: 'at' as const, count: 0 }
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

  function update(change: Update<T>) {
    const isOutdated = queryClient.getQueryState(queryKey)?.isInvalidated
    queryClient.setQueryData<RecordWindow<T>>(queryKey, (window) => window && change(window))
    if (isOutdated) void queryClient.invalidateQueries({ queryKey, refetchType: 'none' })
  }

  function load(side: 'before' | 'after') {
    const edge = side === 'after' ? data?.rows.at(-1) : data?.rows[0]
    if (isPlaceholderData || edge === undefined || loading.current.has(side)) return
    loading.current.add(side)
    const sort = side === 'after' ? order : opposite(order)
    const add = (page: ListPage<T>) =>
      update((window) =>
        side === 'after'
          ? append(window, page.data, { hasAfter: !isLast(page) })
          : prepend(window, page.data.toReversed(), { hasBefore: !isLast(page) }),
      )
    fetchPage(source, { limit: pageSize, sort, after: edge.record.id })
      // Where it fails, the next scroll or the next poll tries again.
      .then(add, () => undefined)
      .then(() => loading.current.delete(side))
  }

  return {
    window: data ?? emptyWindow(),
    address,
    name: JSON.stringify(queryKey),
    beginning: where,
    order,
    state: data !== undefined ? 'ready' : isError ? 'failed' : 'loading',
    isStale: isPlaceholderData,
    error,
    retry: () => void refetch(),
    loadAfter: () => data?.hasAfter && load('after'),
    loadBefore: () => data?.hasBefore && load('before'),
    setView: (seen) => {
      view.current = seen
    },
    change(change) {
      // A poll that began before the change does not know of it.
      void queryClient.cancelQueries({ queryKey })
      update(change)
      noteChanges(kinds)
    },
    settle: (anchorId) => update((window) => settle(window, order, anchorId)),
    begin: (where) => choose({ address, where }),
  }
}

function emptyWindow<T>(): RecordWindow<T> {
  return { rows: [], firstIndex: 0, hasBefore: false, hasAfter: false, held: [] }
}

async function fetchStart<T extends Identified>(
  source: Source<T>,
  { where, at = '' }: { where: Beginning; at: string | undefined },
  signal: AbortSignal,
): Promise<RecordWindow<T>> {
  const { order } = source
  const id = where === 'at' ? parseId(at) : undefined
  const isEnd = where === 'end'
  const sort = isEnd ? opposite(order) : order
  const page = await fetchPage(source, { limit: pageSize, sort, ...from(id, order) }, signal)
  const empty = emptyWindow<T>()
  return isEnd
    ? { ...prepend(empty, page.data.toReversed(), { hasBefore: !isLast(page) }), firstIndex: 0 }
    : append({ ...empty, hasBefore: id !== undefined }, page.data, { hasAfter: !isLast(page) })
}

/** Fetches the rows in view again: one page from the first of them on. */
async function pollRows<T extends Identified>(
  source: Source<T>,
  window: RecordWindow<T>,
  { firstId, isAtStart }: View,
  signal: AbortSignal,
) {
  const { order } = source
  const fromStart = isAtStart && !window.hasBefore
  const fromId = fromStart ? undefined : firstId
  const query = { limit: pageSize, sort: order, ...from(fromId, order) }
  const page = await fetchPage(source, query, signal)
  const seen = { order, fromId, records: page.data, isEnd: isLast(page) }
  const found = new Set(page.data.map(({ id }) => id))
  const missing = rowsOf(window, seen)
    .filter(({ record, mark }) => !found.has(record.id) && mark !== 'gone' && mark !== 'left')
    .map(({ record }) => record.id)
    .slice(0, pageSize)
  const elsewhere =
    missing.length === 0
      ? []
      : (await source.fetch({ id: missing, limit: pageSize }, { signal })).data
  return { ...seen, elsewhere }
}

/** The parameters of a query that begins at the record with this id. */
function from(id: Int64 | undefined, order: Order) {
  return id === undefined ? {} : { after: neighbourOf(id, order === 'id' ? -1 : 1) }
}

function isLast({ nextCursor }: ListPage<unknown>): boolean {
  return nextCursor === undefined
}

function opposite(order: Order): Order {
  return order === 'id' ? '-id' : 'id'
}
