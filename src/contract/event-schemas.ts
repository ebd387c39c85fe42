import type { EventTypes } from './event-type.ts'
import { inPascalCase } from './list-words.ts'
import { instant, int64, oneOf, textUpTo } from './schemas.ts'
import * as Type from './type.ts'

/** An event without its record. */
const origin = {
  id: 1,
  createdAt: '2026-11-02T09:30:00.000Z',
  actor: { type: 'key', name: 'first', keyId: 1 },
  requestId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
}

const EventId = int64({
  $id: 'EventId',
  description:
    'The position in the log. Ids ascend in the order of the events, with gaps. Once an id is visible, no lower one appears later.',
  minimum: 1,
  examples: [origin.id],
})

const EventInstant = {
  ...instant('When the change was requested.', origin.createdAt),
  $id: 'EventInstant',
}

const EventRequestId = {
  ...textUpTo(100, 'The `X-Request-Id` of the request that made the change.', origin.requestId),
  $id: 'EventRequestId',
}

const EventActor = Type.Object(
  {
    type: oneOf(['key', 'job', 'command'], {
      description: 'Who made the change: an API key, a scheduled job, or a command.',
      examples: ['key'],
    }),
    name: textUpTo(1_000, 'The name of the key, the job or the command at that time.', 'first'),
    keyId: Type.Optional(
      int64({ description: 'The identifier of the key.', minimum: 1, examples: [1] }),
    ),
  },
  {
    $id: 'EventActor',
    description: 'Who made a change.',
    additionalProperties: false,
    examples: [origin.actor],
  },
)

type RecordSchema = Type.TSchema & {
  $id: string
  properties: Record<string, Type.TSchema & { description?: string; examples?: unknown[] }>
  required: string[]
  examples: [object]
}

/** The schema of an event of any type: its `type` tells which of these it has. */
export function anyEventSchema(eventTypes: EventTypes) {
  const types = Object.keys(eventTypes)
  const mapping = types.map((type) => [type, `#/components/schemas/${nameOf(type)}`])
  return Type.Unsafe<object>({
    $id: 'Event',
    oneOf: types.map((type) => eventSchema(eventTypes, type)),
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(mapping) },
    description:
      'A change of one record. `data` is the whole record after the change, or as it was last if it is deleted; `previous` has the members that changed, as they were. Later versions have more types: ignore those that you do not know.',
    examples: [eventExample(eventTypes, 'category.created')],
  })
}

/** The schema of events of one type, such as `PetCreatedEvent`. */
function eventSchema(eventTypes: EventTypes, type: string) {
  const { scope, summary, data, change, stability } = declaredType(eventTypes, type)
  return Type.Object(
    {
      id: EventId,
      type: Type.Unsafe<string>({ type: 'string', const: type }),
      createdAt: EventInstant,
      data,
      ...(change ? { previous: Type.Optional(previousSchema(data, change.before)) } : {}),
      actor: EventActor,
      requestId: Type.Optional(EventRequestId),
    },
    {
      $id: nameOf(type),
      description: `${summary}. Its readers have the scope \`${scope}\`.`,
      ...(stability ? { 'x-stability-level': stability } : {}),
      examples: [eventExample(eventTypes, type)],
    },
  )
}

/** An event of this type, about the record that its schema shows. */
export function eventExample(eventTypes: EventTypes, type: string): Record<string, unknown> {
  const { data, change } = declaredType(eventTypes, type)
  const { id, createdAt, actor, requestId } = origin
  const record = { ...data.examples[0], ...change?.after }
  const previous = change ? { previous: change.before } : {}
  return { id, type, createdAt, data: record, ...previous, actor, requestId }
}

/** The members of a record that changed, as they were. */
function previousSchema({ $id, properties, required }: RecordSchema, example: object) {
  const members = Object.entries(properties).map(([name, member]) => {
    if (required.includes(name)) return [name, member]
    return [name, { anyOf: [member, { type: 'null' }] }]
  })
  return Type.Unsafe<object>({
    $id: `Previous${$id}`,
    type: 'object',
    properties: Object.fromEntries(members),
    description: 'The members that changed, as they were; `null` for one that was absent.',
    examples: [example],
  })
}

function declaredType(eventTypes: EventTypes, type: string) {
  const declared = eventTypes[type]
  if (!declared) throw new Error(`No feature declares the event type ${type}.`)
  return { ...declared, data: declared.data as RecordSchema }
}

function nameOf(type: string): string {
  return `${inPascalCase(type)}Event`
}
