import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useReducer, useRef } from 'react'
import type { Int64 } from '../../../client/src/operation.ts'
import { noRetries } from '../api/client.ts'
import { countAgain } from '../api/counts.ts'
import { pollEveryMs } from '../api/query-client.ts'
import { neighbourOf, parseId } from '../base/int64-text.ts'
import {
  append,
  type Identified,
  type Order,
  prepend,
  type RecordWindow,
  rowsOf,
} from './record-window.ts'
import { type Change, reduceWindow } from './reduce-window.ts'

/** A page of records, the most that the service sends at once. */
const pageSize = 100

/** Of a page; or of records with these ids, whatever the filters. */
type ListQuery = { limit: number; sort?: Order; after?: Int64; id?: Int64[] }
type ListOptions = typeof noRetries & { signal: AbortSignal }

/** A list of the service that pages by id. */
type Source<T> = {
  /** Names the list with its filters. */
  key: QueryKey
  order: Order
  /** The id that the list begins at, as the address has it. */
  at: string | undefined
  filter?: object
  fetch(query: ListQuery, options: ListOptions): Promise<readonly T[]>
}

function fetchPage<T>({ filter, fetch }: Source<T>, page: ListQuery, signal: AbortSignal) {
  return fetch({ ...filter, ...page }, { ...noRetries, signal })
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
  change(change: Change<T>): void
  /** Begins again: with the first record of the list, or with the last one. */
  begin(where: 'start' | 'end'): void
}

type View = { firstId: Int64 | undefined; isAtStart: boolean }

/** At the id that the source names, if any; at the first record, or at the last one. */
type Beginning = 'at' | 'start' | 'end'

type Chosen = { address: string; where: Beginning; count: number }

function chooseBeginning(last: Chosen, next: Omit<Chosen, 'count'>): Chosen {
  return { ...next, count: last.count + 1 }
}

/** A list of any length of which the rows around the view are held, and kept up to date. */
export function useRecordList<T extends Identified>(source: Source<T>): RecordList<T> {
  const { key, order, at } = source
  const queryClient = useQueryClient()
  const [state, dispatch] = useReducer(reduceWindow<T>, undefined)
  const view = useRef<View>({ firstId: undefined, isAtStart: true })
  const loading = useRef(new Set<'before' | 'after'>())
  const listKey = [...key, order]
  const address = JSON.stringify([...listKey, at ?? ''])
  const [chosen, choose] = useReducer(chooseBeginning, { address: '', where: 'at', count: 0 })
  // Another list, or another id to begin at, begins there.
  const { where, count } = chosen.address === address ? chosen : { where: 'at' as const, count: 0 }
  const startKey = [...listKey, 'start', at ?? '', where, count]
  const startName = JSON.stringify(startKey)

  const start = useQuery({
    queryKey: startKey,
    queryFn: ({ signal }) => fetchStart(source, where, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    meta: { isBeginning: true },
  })
  useEffect(() => {
    if (start.data) dispatch({ type: 'start', name: startName, window: start.data })
  }, [start.data, startName])

  const isCurrent = state?.name === startName
  const isRefused = !isCurrent && start.isError
  const current = isCurrent ? state.window : undefined
  const latest = useRef(current)
  latest.current = current

  const poll = useQuery({
    queryKey: pollKey(startName),
    queryFn: ({ signal }) => pollRows(source, latest.current, view.current, signal),
    enabled: current !== undefined,
    refetchInterval: pollEveryMs,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    structuralSharing: false,
  })
  useEffect(() => {
    if (poll.data)
      dispatch({ type: 'change', name: startName, change: { type: 'poll', poll: poll.data } })
  }, [poll.data, startName])

  const change = useCallback(
    (change: Change<T>) => {
      if (isOwn(change)) {
        // A poll that began before the change does not know of it.
        void queryClient.cancelQueries({ queryKey: pollKey(startName) })
        countAgain()
      }
      dispatch({ type: 'change', name: startName, change })
    },
    [queryClient, startName],
  )

  function load(side: 'before' | 'after') {
    const rows = current?.rows ?? []
    const edge = side === 'after' ? rows.at(-1) : rows[0]
    if (current === undefined || edge === undefined || loading.current.has(side)) return
    loading.current.add(side)
    const after = edge.record.id
    const sort = side === 'after' ? order : opposite(order)
    queryClient
      .fetchQuery({
        queryKey: [...listKey, side, String(after)],
        queryFn: ({ signal }) => fetchPage(source, { limit: pageSize, sort, after }, signal),
        gcTime: 0,
      })
      .then((records) =>
        change({ type: side, records: ordered(records, side), isFull: isFull(records) }),
      )
      // The next scroll, or the next poll, tries again.
      .catch(() => undefined)
      .finally(() => loading.current.delete(side))
  }

  return {
    window: (isRefused ? undefined : state?.window) ?? emptyWindow(),
    address,
    name: state?.name ?? '',
    beginning: where,
    order,
    state: isRefused ? 'failed' : state !== undefined ? 'ready' : 'loading',
    isStale: state !== undefined && !isCurrent && !isRefused,
    error: start.error,
    retry: () => void start.refetch(),
    loadAfter: () => current?.hasAfter && load('after'),
    loadBefore: () => current?.hasBefore && load('before'),
    setView: useCallback((seen: View) => (view.current = seen), []),
    change,
    begin: (where) => choose({ address, where }),
  }
}

function pollKey(name: string): QueryKey {
  return ['poll', name]
}

/** Whether a change was made here. */
function isOwn<T>({ type }: Change<T>): boolean {
  return type === 'put' || type === 'insert' || type === 'gone'
}

function emptyWindow<T>(): RecordWindow<T> {
  return { rows: [], firstIndex: 0, hasBefore: false, hasAfter: false, held: [] }
}

async function fetchStart<T extends Identified>(
  source: Source<T>,
  where: Beginning,
  signal: AbortSignal,
): Promise<RecordWindow<T>> {
  const { order } = source
  const at = source.at === undefined ? undefined : parseId(source.at)
  const isEnd = where === 'end'
  const sort = isEnd ? opposite(order) : order
  const isAt = where === 'at' && at !== undefined
  const after = !isAt ? {} : { after: neighbourOf(at, order === 'id' ? -1 : 1) }
  const records = await fetchPage(source, { limit: pageSize, sort, ...after }, signal)
  const empty = emptyWindow<T>()
  return isEnd
    ? { ...prepend(empty, records.toReversed(), { hasBefore: isFull(records) }), firstIndex: 0 }
    : append({ ...empty, hasBefore: isAt }, records, { hasAfter: isFull(records) })
}

/** Fetches the rows in view again: one page from the first of them on. */
async function pollRows<T extends Identified>(
  source: Source<T>,
  window: RecordWindow<T> | undefined,
  { firstId, isAtStart }: View,
  signal: AbortSignal,
) {
  const { order } = source
  const fromStart = isAtStart && window?.hasBefore === false
  const fromId = fromStart ? undefined : firstId
  const after = fromId === undefined ? {} : { after: neighbourOf(fromId, order === 'id' ? -1 : 1) }
  const records = await fetchPage(source, { limit: pageSize, sort: order, ...after }, signal)
  const seen = { order, fromId, records, isEnd: !isFull(records) }
  const found = new Set(records.map(({ id }) => id))
  const missing = (window === undefined ? [] : rowsOf(window, seen))
    .filter(({ record, mark }) => !found.has(record.id) && mark !== 'gone' && mark !== 'left')
    .map(({ record }) => record.id)
    .slice(0, pageSize)
  const elsewhere =
    missing.length === 0
      ? []
      : await source.fetch({ id: missing, limit: pageSize }, { ...noRetries, signal })
  return { ...seen, elsewhere }
}

function isFull(records: readonly unknown[]): boolean {
  return records.length === pageSize
}

function opposite(order: Order): Order {
  return order === 'id' ? '-id' : 'id'
}

/** Records in front of a row are fetched away from it. */
function ordered<T>(records: readonly T[], side: 'before' | 'after'): readonly T[] {
  return side === 'before' ? records.toReversed() : records
}
