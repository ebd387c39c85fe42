import { anyEventSchema, eventExample } from '../../contract/event-schemas.ts'
import type { EventTypes } from '../../contract/event-type.ts'
import { operationsOn } from '../../contract/record-operations.ts'
import { int64, oneOf, pageOf } from '../../contract/schemas.ts'
import type { Tag } from '../../contract/tags.ts'
import * as Type from '../../contract/type.ts'

const tag: Tag = {
  name: 'events',
  displayName: 'Events',
  description: 'Every change of the store: who made it, when, and what it changed.',
}

const streamAfter = Type.Optional(
  int64({
    description: 'The last event seen; absent, the stream begins with the next event.',
    minimum: 0,
    examples: [1],
  }),
)
const lastEventId = Type.Optional(
  int64({
    description:
      'As `after`: sent by clients that connect again. Of several positions the last one counts.',
    minimum: 0,
    examples: [1],
  }),
)

/** What a client may ask of the log. */
export type EventsQuery = { type?: string[]; petId?: bigint; orderId?: bigint }

/** The operations of a log of events of these types. */
export function describeEvents(eventTypes: EventTypes) {
  const typeNames = Object.keys(eventTypes)
  const created = eventExample(eventTypes, 'category.created')
  // What a stream begins with, then an event.
  const streamExample = `retry: 1000\nid: 0\n\nid: ${created.id}\nevent: ${created.type}\ndata: ${JSON.stringify(created)}\n\n`

  const EventType = oneOf(typeNames, {
    $id: 'EventType',
    description: 'What changed. A change that follows from another one is an event of its own.',
    allowed: 'a type of event, such as pet.created',
    examples: [created.type as string],
  })
  const Event = anyEventSchema(eventTypes)

  const eventsFilter = Type.Partial({
    type: Type.Array(EventType, {
      maxItems: typeNames.length,
      description: 'Only events of this type; repeat it for several.',
      allowed: 'given once for each type',
    }),
    petId: int64({
      description: 'Only events of this pet, its inventory, its details and its photo.',
      examples: [1],
    }),
    orderId: int64({ description: 'Only events of this order.', examples: [1] }),
  })

  const events = operationsOn({
    record: 'event',
    path: '/events',
    client: 'events',
    tag,
    lifecycle: { stability: 'stable' },
    read: 'anyKey',
    write: 'anyKey',
    item: Event,
  })

  const listEvents = events.list({
    summary: 'List events',
    description:
      'Returns a page of the log of changes, from the oldest event on. A key sees the events of records that it may read. Where few events match, a page may have fewer than `limit`, or none, and still a `next` link. A position whose events are deleted is a 410. As a stream it refuses parameters that it does not take, such as `cursor`.',
    query: eventsFilter,
    list: pageOf('Events', Event, [created]),
    alternative: {
      returns: 'stream',
      client: 'events.follow',
      mediaTypes: ['text/event-stream'],
      isEndless: true,
      // A position by a name that is not understood would mean the next event.
      isStrict: true,
      query: Type.Object({ ...eventsFilter.properties, after: streamAfter, lastEventId }),
      headers: Type.Object({ 'Last-Event-ID': lastEventId }),
      item: Type.String({
        description:
          'Server-sent events: `id`, `event` (the type) and `data` (the event as JSON), as they come. A comment every 15 seconds shows that the stream is alive; it may come with an `id`, the position without an event.',
        examples: [streamExample],
      }),
      examples: {
        name: 'stream',
        summary: 'The events of one pet from now on',
        query: { petId: 1, lastEventId: 1 },
        headers: { 'Last-Event-ID': '1' },
        response: streamExample,
      },
    },
    errors: ['events_expired'],
    links: [
      {
        operationId: 'getEvent',
        description: 'Get the first event of the page.',
        parameters: { eventId: '$response.body#/0/id' },
      },
    ],
    examples: {
      name: 'none',
      summary: 'No event concerns both a pet and an order',
      query: { type: ['order.expired'], petId: 1, orderId: 1 },
      response: [],
    },
  })

  const getEvent = events.get({
    exampleId: 1,
    description: 'Returns one event, if the key may read its record.',
    examples: { name: 'first', summary: 'The first event', response: created },
  })

  return { listEvents, getEvent }
}
