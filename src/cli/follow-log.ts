import type { Context } from '../context/context.ts'
import { type FeedEvent, selectAfter } from '../features/events/queries.ts'
import { sleep } from '../timers.ts'
import { tell } from './print.ts'

const pollEveryMs = 250
const chunkMax = 200

/** The position behind all events. */
export async function endOfLog({ db }: Context): Promise<bigint> {
  const found = await db.read(selectAfter, { after: undefined, limit: 1 })
  if (!('events' in found)) throw new Error('The end of the log is outside of it.')
  return found.position
}

/** The events behind a position as they come, until `stopping` is aborted. Tells where some were missed. */
export async function* followLog(
  context: Context,
  { after, stopping }: { after: bigint; stopping: AbortSignal },
): AsyncGenerator<FeedEvent> {
  let position = after
  while (!stopping.aborted) {
    const found = await context.db.read(selectAfter, { after: position, limit: chunkMax })
    if (!('events' in found)) {
      tell('The log of events has begun anew, or events that were not printed are deleted.')
      position = await endOfLog(context)
      continue
    }
    yield* found.events
    position = found.position
    if (found.isEnd) await sleep(pollEveryMs, undefined, { signal: stopping }).catch(() => {})
  }
}

/** Aborted by Ctrl+C, by SIGTERM, and when nobody reads standard output any more. */
export function stopsOnSignal(): AbortSignal {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  process.stdout.once('error', () => stopping.abort())
  return stopping.signal
}
