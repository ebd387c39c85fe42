import type { Scope } from '../../../client/src/index.ts'
import { pause } from '../base/pause.ts'
import { client } from './client.ts'
import { queryClient } from './query-client.ts'
import { session } from './session.ts'

/** Time between two polls of what is in view, where no stream tells of changes. */
const pollEveryMs = 1_500
/** Time between two requests for the same records while they keep changing. */
const restEveryMs = 300

/** The scope that reads records of a kind, and so their events. */
const scopes: Record<string, Scope> = {
  pet: 'pets:read',
  details: 'pets:read',
  category: 'pets:read',
  photo: 'pets:read',
  order: 'orders:read',
  inventory: 'inventory:read',
  key: 'keys:manage',
  webhook: 'webhooks:manage',
}

/** Whether the stream of events is open; undefined until it was tried. */
let isStreamOpen: boolean | undefined

/** The part of a query that says whether it is fetched again. */
type State<T> = {
  data: T | undefined
  status: string
  fetchStatus: string
  isInvalidated: boolean
  dataUpdatedAt: number
}

type Options<T> = {
  /** The time between polls. */
  pollMs?: number
  /** The least time between the end of a request and the next one. */
  restMs?(data: T | undefined): number
}

/**
 * Options of a query of records of these kinds, such as `pet`: it is fetched again when an event tells that one has changed.
 * It is polled where the stream is not open, or no event tells of one of these kinds. What the key may not read is not shown.
 */
export function following<T>(
  kinds: readonly string[],
  { pollMs = pollEveryMs, restMs = () => restEveryMs }: Options<T> = {},
) {
  return {
    meta: { kinds },
    refetchInterval({ state }: { state: State<T> }): number | false {
      if (state.fetchStatus !== 'idle') return false
      const rest = restMs(state.data)
      if (state.status === 'success' && state.isInvalidated)
        return Math.min(Math.max(1, state.dataUpdatedAt + rest - Date.now()), rest)
      const isTold = isStreamOpen === true && kinds.every((kind) => kind in scopes)
      return state.status === 'success' && isTold ? false : Math.max(pollMs, rest)
    },
  }
}

/** The kinds of records whose events the key may read. */
export function readableKinds(): readonly string[] {
  const own: readonly string[] = session.get()?.scopes ?? []
  return Object.keys(scopes).filter((kind) => own.includes(scopes[kind] ?? ''))
}

/** Records of these kinds have changed: what shows some is fetched again. */
export function noteChanges(kinds: Iterable<string>): void {
  const changed = new Set(kinds)
  outdate((own) => own.some((kind) => changed.has(kind)))
}

/** The stream was opened or has failed: anything may have changed in between. `undefined`: nobody sees the window. */
function noteStream(isOpen: boolean | undefined): void {
  if (isOpen === isStreamOpen) return
  isStreamOpen = isOpen
  if (isOpen !== undefined) outdate(() => true)
}

function outdate(isOutdated: (kinds: readonly string[]) => boolean): void {
  for (const query of queryClient.getQueryCache().getAll()) {
    const kinds = query.meta?.kinds as readonly string[] | undefined
    if (kinds === undefined || !isOutdated(kinds)) continue
    if (query.state.fetchStatus === 'idle') query.invalidate()
    // A running request may have begun before the change.
    else
      query
        .fetch()
        .catch(() => undefined)
        .then(() => query.invalidate())
  }
}

const followAgainMs = 2_000
/** The service sends something every 15 s. */
const timeoutMs = 20_000

/** Follows the events that the key of the session may read: one stream, while the window is visible. */
export function followEvents(): void {
  let key: string | undefined
  let stop = new AbortController()
  function update() {
    if (key === currentKey()) return
    key = currentKey()
    stop.abort()
    stop = new AbortController()
    noteStream(undefined)
    if (key !== undefined) void follow(stop.signal)
  }
  session.subscribe(update)
  document.addEventListener('visibilitychange', update)
  update()
}

/** The key to follow with, if any. */
function currentKey(): string | undefined {
  const { key, endedBecause } = session.get() ?? {}
  return document.hidden || endedBecause !== undefined ? undefined : key
}

async function follow(signal: AbortSignal): Promise<void> {
  // The first event is one that is still to come: what is shown is fetched again when the stream opens.
  const onConnection = (isOpen: boolean) => signal.aborted || noteStream(isOpen)
  while (!signal.aborted) {
    try {
      for await (const { type } of client.events.follow({ signal, timeoutMs, onConnection }))
        noteChanges([type.split('.')[0] ?? ''])
    } catch {
      // Not followed for now, or events were missed: polling takes over.
      await pause(followAgainMs, signal)
    }
  }
}
