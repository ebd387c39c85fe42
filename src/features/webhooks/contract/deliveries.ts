import { instant, int32, int64, pageOf } from '../../../contract/schemas.ts'
import * as Type from '../../../contract/type.ts'

const attemptedAt = '2026-11-02T09:30:00.210Z'
const attempt = { attemptedAt, durationMs: 41, responseStatus: 204 }
export const delivery = {
  id: 1,
  webhookId: 1,
  eventId: 7,
  eventType: 'order.placed',
  status: 'succeeded',
  createdAt: '2026-11-02T09:30:00.000Z',
  attempts: [attempt],
}

const id = (description: string, example: number) =>
  int64({ description, minimum: 1, examples: [example] })

const statuses = ['pending', 'succeeded', 'failed', 'lost'] as const
const DeliveryStatus = Type.Unsafe<(typeof statuses)[number]>({
  $id: 'DeliveryStatus',
  type: 'string',
  enum: statuses,
  description:
    'The state of a delivery: `pending` until an attempt succeeds; `failed` after the last attempt; `lost` where its event was deleted before one succeeded.',
  allowed: 'pending, succeeded, failed or lost',
  examples: [delivery.status],
})

const DeliveryAttempt = Type.Object(
  {
    attemptedAt: instant('When the request was sent.', attemptedAt),
    durationMs: int32({
      minimum: 0,
      maximum: 2 ** 31 - 1,
      description: 'How long it took, in milliseconds.',
      examples: [attempt.durationMs],
    }),
    responseStatus: Type.Optional(
      int32({
        minimum: 100,
        maximum: 999,
        description: 'The status of the response; absent where none came.',
        examples: [attempt.responseStatus],
      }),
    ),
    responseBody: Type.Optional(
      Type.String({
        maxLength: 1_024,
        description: 'The first kilobyte of the response, as text.',
        examples: ['Thanks'],
      }),
    ),
    error: Type.Optional(
      Type.String({
        maxLength: 500,
        description: 'Why no response came.',
        examples: ['No response within 15 s.'],
      }),
    ),
  },
  {
    $id: 'DeliveryAttempt',
    description: 'One request of a delivery. Any status from 200 to 299 is a success.',
    examples: [attempt],
  },
)
export type DeliveryAttempt = Type.Static<typeof DeliveryAttempt>

export const Delivery = Type.Object(
  {
    id: id('Unique identifier assigned by the service.', delivery.id),
    webhookId: id('The identifier of the webhook.', delivery.webhookId),
    eventId: id('The identifier of the event, the `webhook-id` of each attempt.', delivery.eventId),
    eventType: Type.String({
      maxLength: 50,
      description:
        'The type of the event. `events.lost`: this delivery stands for all events up to `eventId` that were deleted before they could be sent; the error of its attempt says which.',
      examples: [delivery.eventType],
    }),
    status: DeliveryStatus,
    createdAt: instant('When the service found the event to be sent.', attemptedAt),
    nextAttemptAt: Type.Optional(
      instant('When the next attempt is due; absent where none follows.', attemptedAt),
    ),
    attempts: Type.Array(DeliveryAttempt, {
      maxItems: 12,
      description: 'The last attempts, in order, at most 12.',
      examples: [delivery.attempts],
    }),
  },
  {
    $id: 'Delivery',
    description: 'An event for a webhook, and what became of it.',
    examples: [delivery],
  },
)
export type Delivery = Type.Static<typeof Delivery>

export const Deliveries = pageOf(Delivery, {
  $id: 'Deliveries',
  description: 'A page of deliveries.',
  examples: [[delivery]],
})

export const deliveriesFilter = Type.Object({
  status: Type.Optional(
    Type.Unsafe<Delivery['status']>({
      ...DeliveryStatus,
      description: 'Only deliveries with this status.',
    }),
  ),
  eventId: Type.Optional(
    int64({ description: 'Only the delivery of this event.', examples: [delivery.eventId] }),
  ),
})
export type DeliveriesFilter = Type.Static<typeof deliveriesFilter>

export const NewReplay = Type.Object(
  {
    after: int64({
      description: 'The last event that is not sent again: a position in the log of events.',
      minimum: 0,
      examples: [1],
    }),
  },
  {
    $id: 'NewReplay',
    description: 'Which events to send again. Unknown members are ignored.',
    allowed: 'a JSON object with after',
    examples: [{ after: 1 }],
  },
)
export type NewReplay = Type.Static<typeof NewReplay>
