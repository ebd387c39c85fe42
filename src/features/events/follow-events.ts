import type { StreamContext } from '../../context/context.ts'
import type { StreamContent } from '../../contract/content.ts'
import type { EventsQuery } from './contract.ts'
import { eventsExpired, readQuery } from './list-events.ts'
import { selectEvents } from './queries.ts'

type Request = {
  query: EventsQuery & { after?: bigint | undefined; lastEventId?: bigint | undefined }
  headers: { 'Last-Event-ID'?: bigint | undefined }
}

/**
 * The events that the caller may read, as they come. A client that connects again may repeat where it once began: of its
 * positions the last one counts. Throws `events_expired`, `unavailable`.
 */
export async function followEvents(
  { db, feed, callerNow }: StreamContext,
  { query, headers }: Request,
): Promise<StreamContent> {
  const [after] = [query.after, query.lastEventId, headers['Last-Event-ID']]
    .filter((position) => position !== undefined)
    .sort((a, b) => (a > b ? -1 : 1))
  const page = { limit: 1, sort: 'id', after } as const
  const found = await db.read(selectEvents, { filter: { types: undefined }, page })
  if ('oldest' in found) throw eventsExpired(after, found.oldest)
  return feed.follow({ after, ...readQuery(query), callerNow })
}
