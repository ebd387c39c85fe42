import type { EventTypes } from '../../contract/event-type.ts'
import { defineOperation } from '../../contract/operation.ts'
import { int64, pageOf } from '../../contract/schemas.ts'
import type { Tag } from '../../contract/tags.ts'
import * as Type from '../../contract/type.ts'

const tag: Tag = {
  name: 'events',
  displayName: 'Events',
  description: 'Every change of the store: who made it, when, and what it changed.',
}
const shared = { tag, scope: 'anyKey', lifecycle: { stability: 'beta' } } as const

const created = {
  id: 1,
  type: 'category.created',
  createdAt: '2026-11-02T09:30:00.000Z',
  data: { id: 1, name: 'Dogs' },
  actor: { type: 'key', name: 'first', keyId: 1 },
  requestId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
}

const EventActor = Type.Object(
  {
    type: Type.Unsafe<'key' | 'job' | 'command'>({
      type: 'string',
      enum: ['key', 'job', 'command'],
      description: 'Who made the change: an API key, a scheduled job, or a command.',
      examples: ['key'],
    }),
    name: Type.String({
      description: 'The name of the key, the job or the command at that time.',
      maxLength: 1_000,
      examples: ['first'],
    }),
    keyId: Type.Optional(
      int64({ description: 'The identifier of the key.', minimum: 1, examples: [1] }),
    ),
  },
  {
    $id: 'EventActor',
    description: 'Who made a change.',
    additionalProperties: false,
    examples: [created.actor],
  },
)

const streamExample = `id: 1\nevent: ${created.type}\ndata: ${JSON.stringify(created)}\n\n`

const streamAfter = Type.Optional(
  int64({
    description: 'The last event seen; absent, the stream begins with the next event.',
    minimum: 0,
    examples: [1],
  }),
)
const lastEventId = Type.Optional(
  int64({
    description: 'As `after`, which it replaces: sent by clients that connect again.',
    minimum: 0,
    examples: [1],
  }),
)

/** What a client may ask of the log. */
export type EventsQuery = { type?: string[]; petId?: bigint; orderId?: bigint }

/** The operations of a log of events of these types. */
export function describeEvents(eventTypes: EventTypes) {
  const typeNames = Object.keys(eventTypes)
  const records = [...new Set(Object.values(eventTypes).map(({ data }) => data))]

  const EventType = Type.Unsafe<string>({
    $id: 'EventType',
    type: 'string',
    enum: typeNames,
    description: 'What changed. An event that follows from another change is one of its own.',
    allowed: 'a type of event, such as pet.created',
    examples: [created.type],
  })

  const Event = Type.Object(
    {
      id: int64({
        description:
          'The position in the log. Ids ascend in the order of the events, with gaps; who has seen one never finds a lower one later.',
        minimum: 1,
        examples: [created.id],
      }),
      type: EventType,
      createdAt: Type.String({
        format: 'date-time',
        maxLength: 30,
        description: 'When the change was requested.',
        examples: [created.createdAt],
      }),
      data: Type.Unsafe<object>({
        anyOf: records,
        description: 'The whole record after the change; of a deleted one, as it was last.',
        examples: [created.data],
      }),
      previous: Type.Optional(
        Type.Unsafe<object>({
          type: 'object',
          description:
            'The members that changed, as they were, and `null` for one that was absent; absent for a record that is new or deleted.',
          additionalProperties: true,
          examples: [{ name: 'Dog' }],
        }),
      ),
      actor: EventActor,
      requestId: Type.Optional(
        Type.String({
          description: 'The `X-Request-Id` of the request that made the change.',
          maxLength: 100,
          examples: [created.requestId],
        }),
      ),
    },
    {
      $id: 'Event',
      description: 'A change of one record.',
      examples: [created],
    },
  )

  const Events = pageOf(Event, {
    $id: 'Events',
    description: 'A page of events.',
    examples: [[created]],
  })

  const eventsFilter = Type.Object({
    type: Type.Optional(
      Type.Array(EventType, {
        maxItems: typeNames.length,
        description: 'Only events of this type; repeat it for several.',
        allowed: 'given once for each type',
      }),
    ),
    petId: Type.Optional(
      int64({ description: 'Only events of this pet and of its inventory.', examples: [1] }),
    ),
    orderId: Type.Optional(int64({ description: 'Only events of this order.', examples: [1] })),
  })

  const listEvents = defineOperation({
    ...shared,
    operationId: 'listEvents',
    method: 'GET',
    path: '/events',
    client: 'events.list',
    summary: 'List events',
    description:
      'Returns a page of the log of changes, from the oldest event on. A key sees the events of records that it may read. Where few events match, a page may have fewer than `limit`, or none, and still a `next` link. A position whose events are deleted is a 410.',
    query: eventsFilter,
    returns: 'page',
    item: Event,
    list: Events,
    alternative: {
      returns: 'stream',
      client: 'events.follow',
      mediaTypes: ['text/event-stream'],
      isEndless: true,
      unreadMaxMs: 30_000,
      query: Type.Object({ ...eventsFilter.properties, after: streamAfter }),
      headers: Type.Object({ 'Last-Event-ID': lastEventId }),
      item: Type.String({
        description:
          'Server-sent events: `id`, `event` (the type) and `data` (the event as JSON), as they come. A comment every 15 seconds shows that the stream is alive; it may come with an `id`, the position without an event.',
        examples: [streamExample],
      }),
      examples: {
        name: 'stream',
        summary: 'The events of one pet from now on',
        query: { petId: 1 },
        headers: { 'Last-Event-ID': '1' },
        response: streamExample,
      },
    },
    errors: ['events_expired'],
    examples: {
      name: 'none',
      summary: 'Nothing is an event of a pet and of an order',
      query: { type: ['order.expired'], petId: 1, orderId: 1 },
      response: [],
    },
  })

  const getEvent = defineOperation({
    ...shared,
    operationId: 'getEvent',
    method: 'GET',
    path: '/events/{eventId}',
    client: 'events.get',
    pathParameters: [
      {
        name: 'eventId',
        record: 'event',
        description: 'The identifier of the event.',
        example: 1,
      },
    ],
    summary: 'Get an event',
    description: 'Returns one event, if the key may read its record.',
    returns: 'record',
    item: Event,
    errors: ['not_found'],
    examples: { name: 'first', summary: 'The first event', response: created },
  })

  return { listEvents, getEvent }
}
