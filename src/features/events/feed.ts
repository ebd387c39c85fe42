import type { Actor, EventFeed, Following, ServiceContext } from '../../context/context.ts'
import type { TakeSlice } from '../../context/slices.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { Refusal } from '../../db/errors.ts'
import { DamagedRow } from '../../db/records/damaged-row.ts'
import { performance, timers } from '../../timers.ts'
import { type FeedEvent, selectEvent, selectPositions } from './queries.ts'
import { readableTypes } from './readable-types.ts'
import { createRecentEvents, type Range } from './recent-events.ts'

/** How often the log is read while there are streams, beside the time that it takes to write to all of them. */
const pollMs = 40
/** How often streams ask whether their keys are still valid. */
const checkMs = 500
/** After so long without an event a stream tells that it is alive. */
const aliveMs = 15_000
/** The most bytes of encoded events that are kept for streams at the same position. */
const chunksMax = 8_000_000
/** How long a client may wait before it connects again: after a lost connection, and at most after a stop. */
const retryMs = 1_000
const retryMaxMs = 5_000

type FeedOptions = Pick<ServiceContext, 'db' | 'clock' | 'eventTypes' | 'random' | 'passOver'> & {
  streamsMax: number
  takeSlice: TakeSlice
  /** Called with the age of each event that is read as the log grows, in milliseconds. */
  onRead?: ((ageMs: number) => void) | undefined
}

type Filter = { key: string; shows(event: FeedEvent): boolean }

/**
 * Sends the log to streams as it grows. The log is read once for all that keep up; a stream holds a position, and one that
 * is behind reads the log itself.
 */
export function createFeed(options: FeedOptions): EventFeed {
  const { db, eventTypes, random, streamsMax, takeSlice, passOver } = options
  const recent = createRecentEvents({
    ...options,
    onChange() {
      forgetChunks()
      void wakeAll()
    },
  })
  let polling: NodeJS.Timeout | undefined
  let checkedMs = 0
  let streams = 0
  let waiting = new Set<{ keyId: bigint | undefined; resume(): void }>()
  /** Chunks that several streams send, by position and filter. */
  let chunks = new Map<string, Uint8Array>()
  let chunksSize = 0

  async function wakeAll() {
    const woken = [...waiting]
    waiting = new Set()
    await Promise.all(
      woken.map(async ({ keyId, resume }) => {
        await takeSlice(keyId)
        resume()
      }),
    )
    // Many streams share more events, so that writing to them leaves time for other requests.
    polling?.refresh()
  }

  function forgetChunks() {
    // Not cleared: what is cleared from a map that lives on is kept until a full garbage collection.
    chunks = new Map()
    chunksSize = 0
  }

  function poll() {
    // Streams ask the database themselves when it fails.
    recent.read().catch(wakeAll)
    if (performance.now() - checkedMs < checkMs) return
    checkedMs = performance.now()
    void wakeAll()
  }

  /** The events of a range that a filter shows, encoded once for all streams at this position. */
  function chunkOf(after: bigint, { events, position }: Range, { key, shows }: Filter) {
    if (events.length === 0) return undefined
    const name = `${after} ${position} ${key}`
    let chunk = chunks.get(name)
    if (!chunk) {
      chunk = Buffer.from(events.filter(shows).map(blockOf).join(''))
      // Streams that are behind, each at a position of its own, share nothing.
      if (chunksSize > chunksMax) forgetChunks()
      chunks.set(name, chunk)
      chunksSize += chunk.length + name.length
    }
    return chunk.length > 0 ? chunk : undefined
  }

  /** Resolves when there may be more to send, and when the stream ends. */
  function pausing(signal: AbortSignal): (keyId: bigint | undefined) => Promise<void> {
    let resume: (() => void) | undefined
    signal.addEventListener('abort', () => resume?.(), { once: true })
    return async (keyId) => {
      if (signal.aborted) return
      const { promise, resolve } = Promise.withResolvers<void>()
      resume = resolve
      const own = { keyId, resume }
      waiting.add(own)
      await promise
      waiting.delete(own)
    }
  }

  async function* follow(following: Following, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    if (streams >= streamsMax) throw tooMany(streamsMax)
    streams += 1
    startPolling()
    try {
      // Also after a pause without streams: what is kept then is old.
      await recent.read()
      let after = following.after ?? (recent.position() as bigint)
      let sent = { position: after, atMs: performance.now() }
      let caller: Actor | undefined
      let filter: Filter | undefined
      const pause = pausing(signal)
      yield Buffer.from(`retry: ${retryMs}\nid: ${after}\n\n`)
      while (!signal.aborted) {
        const now = await callerOf(following)
        if (!now) return
        if (!filter || now !== caller) filter = filterOf(following, eventTypes, now)
        caller = now
        const range = await recent.rangeAfter(after)
        if (!('events' in range)) return
        const chunk = chunkOf(after, range, filter) ?? aliveChunk(range.position, sent)
        after = range.position
        if (chunk) {
          yield chunk
          sent = { position: after, atMs: performance.now() }
        }
        const end = recent.position()
        const isBehind = end !== undefined && after < end
        if (range.isEnd && !isBehind) await pause(now.keyId)
        else await takeSlice(now.keyId)
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
    polling ??= timers.setInterval(poll, pollMs).unref()
  }

  function stopPolling() {
    if (streams > 0) return
    timers.clearInterval(polling)
    polling = undefined
    recent.forget()
    forgetChunks()
  }

  function passedOver(error: unknown): undefined {
    if (!(error instanceof DamagedRow)) throw error
    passOver([error])
  }

  return {
    follow: (following) => (signal) => follow(following, signal),
    streams: () => streams,
    positions: () => db.read(selectPositions, undefined),
    find: (id) => db.read(selectEvent, id).catch(passedOver),
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
  eventTypes: ServiceContext['eventTypes'],
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
function aliveChunk(
  position: bigint,
  sent: { position: bigint; atMs: number },
): Uint8Array | undefined {
  if (performance.now() - sent.atMs < aliveMs) return undefined
  return Buffer.from(position === sent.position ? ':\n\n' : `:\nid: ${position}\n\n`)
}

function blockOf({ id, type, text }: FeedEvent): string {
  return `id: ${id}\nevent: ${type}\ndata: ${text}\n\n`
}

function tooMany(max: number): ServiceError {
  return new ServiceError(
    'unavailable',
    `${max} streams of events are open, as many as this process serves. Retry in a moment, or list the events.`,
  )
}
