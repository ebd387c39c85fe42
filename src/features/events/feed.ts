import { setImmediate as turn } from 'node:timers/promises'
import type { Actor, Context, EventFeed, EventReader, Following } from '../../context/context.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { Refusal } from '../../db/errors.ts'
import { getPositions } from './get-positions.ts'
import { type FeedEvent, selectAfter, selectEvent } from './queries.ts'
import { readableTypes } from './readable-types.ts'

/** How often the log is read while there are streams: changes of this process and of others take no longer. */
const pollMs = 50
/** How often streams ask whether their keys are still valid. */
const checkMs = 500
/** After so long without an event a stream tells that it is alive. */
const aliveMs = 15_000
/** The newest events, for streams that keep up, and as much of encoded chunks; in characters and bytes. */
const keptMax = 8_000_000
/** The most events of one chunk. */
const chunkMax = 200
/** Streams that write in one turn of the event loop. */
const wokenAtOnce = 32
/** How long a client may wait before it connects again: after a lost connection, and at most after a stop. */
const retryMs = 1_000
const retryMaxMs = 5_000

type FeedOptions = Pick<Context, 'db' | 'clock' | 'eventTypes' | 'random'> & {
  streamsMax: number
  /** Called with the age of each event that is read as the log grows, in milliseconds. */
  onRead?: ((ageMs: number) => void) | undefined
}

/** Events of a range of the log, and the position behind them. */
type Range = { events: readonly FeedEvent[]; position: bigint; isEnd: boolean }

type Filter = { key: string; shows(event: FeedEvent): boolean }

/**
 * Sends the log to streams as it grows. The log is read once for all that keep up; a stream holds a position, and one that
 * is behind reads the log itself.
 */
export function createFeed(options: FeedOptions): EventFeed {
  const { db, clock, eventTypes, random, streamsMax, onRead } = options
  /** The events after `start` up to `position`. */
  let kept: FeedEvent[] = []
  let keptSize = 0
  let start: bigint | undefined
  let position: bigint | undefined
  let reading: Promise<void> | undefined
  let isStale = false
  let polling: NodeJS.Timeout | undefined
  let checkedMs = 0
  let streams = 0
  let readers = 0
  const waiting = new Set<() => void>()
  /** Chunks that several streams send, by position and filter. */
  const chunks = new Map<string, Uint8Array>()
  let chunksSize = 0

  async function wakeAll() {
    const woken = [...waiting]
    waiting.clear()
    for (const [index, resume] of woken.entries()) {
      resume()
      // Other requests are not to wait for a thousand streams.
      if (index % wokenAtOnce === wokenAtOnce - 1) await turn()
    }
  }

  /** Reads what was added. A call while it reads makes it read once more. */
  function read(): Promise<void> {
    isStale = true
    reading ??= readOn().finally(() => {
      reading = undefined
    })
    return reading
  }

  async function readOn() {
    while (isStale) {
      isStale = false
      const after = position
      const found = await db.read(selectAfter, { after, limit: chunkMax })
      if ('events' in found) keep(after ?? found.position, found)
      else {
        forget()
        isStale = true
      }
    }
  }

  function keep(after: bigint, { events, position: end, isEnd }: Range) {
    start ??= after
    position = end
    isStale ||= !isEnd
    if (events.length === 0) return
    forgetChunks()
    kept.push(...events)
    if (onRead) for (const { createdAt } of events) onRead(clock() - createdAt)
    for (const { text } of events) keptSize += text.length
    let dropped = 0
    while (keptSize > keptMax) {
      const event = kept[dropped++] as FeedEvent
      keptSize -= event.text.length
      start = event.id
    }
    if (dropped > 0) kept = kept.slice(dropped)
    void wakeAll()
  }

  /** Streams that stand behind what is kept read the log, and find that their position is gone. */
  function forget() {
    kept = []
    keptSize = 0
    start = undefined
    position = undefined
    forgetChunks()
    void wakeAll()
  }

  function forgetChunks() {
    chunks.clear()
    chunksSize = 0
  }

  function poll() {
    // Streams ask the database themselves when it fails.
    read().catch(wakeAll)
    if (performance.now() - checkedMs < checkMs) return
    checkedMs = performance.now()
    void wakeAll()
  }

  async function rangeAfter(after: bigint) {
    if (start !== undefined && position !== undefined && after >= start && after <= position) {
      const first = indexAfter(kept, after)
      const events = kept.slice(first, first + chunkMax)
      const isEnd = first + chunkMax >= kept.length
      return { events, position: isEnd ? position : (events.at(-1)?.id ?? position), isEnd }
    }
    return await db.read(selectAfter, { after, limit: chunkMax })
  }

  /** The events of a range that a filter shows, encoded once for all streams at this position. */
  function chunkOf(after: bigint, { events, position }: Range, { key, shows }: Filter) {
    if (events.length === 0) return undefined
    const name = `${after} ${position} ${key}`
    let chunk = chunks.get(name)
    if (!chunk) {
      chunk = Buffer.from(events.filter(shows).map(blockOf).join(''))
      // Streams that are behind, each at a position of its own, share nothing.
      if (chunksSize > keptMax) forgetChunks()
      chunks.set(name, chunk)
      chunksSize += chunk.length + name.length
    }
    return chunk.length > 0 ? chunk : undefined
  }

  async function pause(signal: AbortSignal) {
    if (signal.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.add(resolve)
    const stopped = new AbortController()
    signal.addEventListener('abort', () => resolve(), { signal: stopped.signal })
    await promise
    stopped.abort()
    waiting.delete(resolve)
  }

  async function* follow(following: Following, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    if (streams >= streamsMax) throw tooMany(streamsMax)
    streams += 1
    startPolling()
    try {
      // Also after a pause without streams: what is kept then is old.
      await read()
      let after = following.after ?? (position as bigint)
      let told = after
      let toldMs = performance.now()
      let caller: Actor | undefined
      let filter: Filter | undefined
      yield Buffer.from(`retry: ${retryMs}\nid: ${after}\n\n`)
      while (!signal.aborted) {
        const now = await callerOf(following)
        if (!now) return
        if (!filter || now !== caller) filter = filterOf(following, eventTypes, now)
        caller = now
        const range = await rangeAfter(after)
        if (!('events' in range)) return
        const chunk = chunkOf(after, range, filter) ?? aliveChunk(range.position, told, toldMs)
        after = range.position
        if (chunk) {
          yield chunk
          told = after
          toldMs = performance.now()
        }
        const isBehind = position !== undefined && after < position
        if (range.isEnd && !isBehind) await pause(signal)
      }
      // The clients of a service that stops are not to return all at once.
      const spreadMs = ((retryMaxMs - retryMs) * (random(1)[0] ?? 0)) / 255
      yield Buffer.from(`retry: ${retryMs + Math.round(spreadMs)}\n\n`)
    } finally {
      streams -= 1
      stopPolling()
    }
  }

  function startPolling() {
    polling ??= setInterval(poll, pollMs).unref()
  }

  function stopPolling() {
    if (streams + readers > 0) return
    clearInterval(polling)
    polling = undefined
    forget()
  }

  function open(): EventReader {
    readers += 1
    startPolling()
    return {
      hasAfter: (after) => position !== undefined && after !== position,
      async after(after) {
        const range = await rangeAfter(after)
        return 'events' in range ? range : { events: [], position: range.prunedTo, isGap: true }
      },
      async find(id) {
        const event = kept[indexAfter(kept, id - 1n)]
        return event?.id === id ? event : await db.read(selectEvent, id)
      },
      close() {
        readers -= 1
        stopPolling()
      },
    }
  }

  return {
    follow: (following) => (signal) => follow(following, signal),
    streams: () => streams,
    positions: () => getPositions({ db }),
    open,
  }
}

/** The caller; undefined once the key may not be used, which ends the stream: the client connects again and is told why. */
async function callerOf({ callerNow }: Following): Promise<Actor | undefined> {
  try {
    return await callerNow()
  } catch (error) {
    if (error instanceof Refusal || error instanceof ServiceError) return undefined
    throw error
  }
}

function filterOf(
  { types, record, recordId }: Following,
  eventTypes: Context['eventTypes'],
  actor: Actor | undefined,
): Filter {
  const readable = readableTypes({ eventTypes, actor }, types)
  const shown = readable && new Set(readable)
  return {
    key: `${readable ?? '*'} ${record ?? ''} ${recordId ?? ''}`,
    shows: (event) =>
      (shown?.has(event.type) ?? true) &&
      (record === undefined || (event.record === record && event.recordId === recordId)),
  }
}

/** A comment; and the position, where it has moved without an event that the stream shows. */
function aliveChunk(position: bigint, told: bigint, toldMs: number): Uint8Array | undefined {
  if (performance.now() - toldMs < aliveMs) return undefined
  return Buffer.from(position === told ? ':\n\n' : `:\nid: ${position}\n\n`)
}

function blockOf({ id, type, text }: FeedEvent): string {
  return `id: ${id}\nevent: ${type}\ndata: ${text}\n\n`
}

/** The index of the first event behind a position. */
function indexAfter(events: readonly FeedEvent[], after: bigint): number {
  let low = 0
  let high = events.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((events[middle] as FeedEvent).id > after) high = middle
    else low = middle + 1
  }
  return low
}

function tooMany(max: number): ServiceError {
  return new ServiceError(
    'unavailable',
    `${max} streams of events are open, as many as this process serves. Retry in a moment, or list the events.`,
  )
}
