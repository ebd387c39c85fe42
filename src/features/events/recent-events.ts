import type { ServiceContext } from '../../context/context.ts'
import { type FeedEvent, selectAfter } from './queries.ts'

/** The most characters of events that are held. */
const keptMax = 8_000_000
/** The most events of one range. */
const rangeMax = 200

type RecentEventsOptions = Pick<ServiceContext, 'db' | 'clock' | 'passOver'> & {
  /** Called with the age of each event that is read as the log grows, in milliseconds. */
  onRead?: ((ageMs: number) => void) | undefined
  /** Called when events were added, and when the log began anew. */
  onChange(): void
}

/** Events of a range of the log, and the position behind them. */
export type Range = { events: readonly FeedEvent[]; position: bigint; isEnd: boolean }

/** The newest events of the log, read once for all that keep up. */
export function createRecentEvents({ db, clock, passOver, onRead, onChange }: RecentEventsOptions) {
  /** The events after `start` up to `position`. */
  let kept: FeedEvent[] = []
  let keptSize = 0
  let start: bigint | undefined
  let position: bigint | undefined
  let reading: Promise<void> | undefined
  let isStale = false

  /** Reads what was added. A call while it reads makes it read once more. */
  function read(): Promise<void> {
    isStale = true
    reading ??= readOn().finally(() => {
      reading = undefined
    })
    return reading
  }

  async function select(after: bigint | undefined) {
    const found = await db.read(selectAfter, { after, limit: rangeMax })
    if ('events' in found) passOver(found.damaged)
    return found
  }

  async function readOn() {
    while (isStale) {
      isStale = false
      const after = position
      const found = await select(after)
      if ('events' in found) keep(after ?? found.position, found)
      else {
        forget()
        onChange()
        isStale = true
      }
    }
  }

  function keep(after: bigint, { events, position: end, isEnd }: Range) {
    start ??= after
    position = end
    isStale ||= !isEnd
    if (events.length === 0) return
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
    onChange()
  }

  function forget() {
    kept = []
    keptSize = 0
    start = undefined
    position = undefined
  }

  /** The events after a position: those that are held, else from the log, which tells where a position is gone. */
  async function rangeAfter(after: bigint) {
    if (start !== undefined && position !== undefined && after >= start && after <= position) {
      // Searched from the end: nearly all positions are near it.
      const first = kept.findLastIndex(({ id }) => id <= after) + 1
      const events = kept.slice(first, first + rangeMax)
      const isEnd = first + rangeMax >= kept.length
      return { events, position: isEnd ? position : (events.at(-1)?.id ?? position), isEnd }
    }
    return await select(after)
  }

  return {
    /** The end of the log as it was last read. */
    position: () => position,
    read,
    rangeAfter,
    /** What is held grows old while nobody reads. */
    forget,
  }
}
