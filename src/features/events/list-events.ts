import type { CallerContext, ServiceContext } from '../../context/context.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { JsonText, ListRequest, Page } from '../../db/lists/page.ts'
import type { EventsQuery } from './contract.ts'
import { countEvents, selectEvents } from './queries.ts'
import { readableTypes } from './readable-types.ts'

/** One page of the events that the caller may read, with their count on request. Throws `events_expired`, `unavailable`. */
export async function listEvents(
  context: CallerContext & Pick<ServiceContext, 'passOver'>,
  { filter: query, page, wantsTotal }: ListRequest<EventsQuery>,
): Promise<Page<JsonText>> {
  const asked = readQuery(query)
  const types = readableTypes(context, asked.types)
  const filter = { ...asked, types }
  const found = await context.db.read(selectEvents, { filter, page })
  if ('oldest' in found) throw eventsExpired(page.after, found.oldest)
  context.passOver(found.damaged)
  if (!wantsTotal) return found
  return { ...found, total: types?.length === 0 ? 0 : await context.db.scan(countEvents, filter) }
}

/** What a client asks for: nothing is an event of a pet and of an order. */
export function readQuery({ type, petId, orderId }: EventsQuery) {
  if (petId !== undefined && orderId !== undefined) return { types: [] }
  if (petId !== undefined) return { types: type, record: 'pet', recordId: petId }
  if (orderId !== undefined) return { types: type, record: 'order', recordId: orderId }
  return { types: type }
}

/** The error for a position that is not in the log. */
export function eventsExpired(after: bigint | undefined, oldest: bigint | undefined): ServiceError {
  const held = oldest === undefined ? 'It has no events now' : `Its oldest event is ${oldest}`
  return new ServiceError(
    'events_expired',
    `The position ${after} is not in the log of events: later events are deleted, or the store was restored. ${held}. Take the position from the header Petstore-Position of the list of events, read the lists again, then follow from that position.`,
  )
}
