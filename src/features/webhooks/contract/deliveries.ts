import { member } from '../../../contract/member.ts'
import {
  assignedId,
  bodyOf,
  filterBy,
  instant,
  int32,
  int64,
  objectOf,
  oneOf,
  textUpTo,
} from '../../../contract/schemas.ts'
import * as Type from '../../../contract/type.ts'
import { deliveryStatuses } from '../delivery-status.ts'

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

const DeliveryStatus = oneOf(deliveryStatuses, {
  $id: 'DeliveryStatus',
  description:
    'The state of a delivery: `pending` until an attempt succeeds; `failed` after the last attempt, or where its event was deleted before one succeeded.',
  examples: ['succeeded'],
})

const DeliveryAttempt = objectOf(
  'DeliveryAttempt',
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
      textUpTo(1_024, 'The first kilobyte of the response, as text.', 'Thanks'),
    ),
    error: Type.Optional(textUpTo(500, 'Why no response came.', 'No response within 15 s.')),
  },
  'One request of a delivery. Any status from 200 to 299 is a success.',
  attempt,
)
export type DeliveryAttempt = Type.Static<typeof DeliveryAttempt>

export const Delivery = objectOf(
  'Delivery',
  {
    id: assignedId(delivery.id),
    webhookId: assignedId(delivery.webhookId, 'The identifier of the webhook.'),
    eventId: assignedId(
      delivery.eventId,
      'The identifier of the event, the `webhook-id` of each attempt.',
    ),
    eventType: textUpTo(50, 'The type of the event.', delivery.eventType),
    status: DeliveryStatus,
    createdAt: instant('When the service found the event to be sent.', attemptedAt),
    nextAttemptAt: Type.Optional(
      member(instant('When the next attempt is due; absent where none follows.', attemptedAt), {
        column: 'due_at',
      }),
    ),
    attempts: Type.Array(DeliveryAttempt, {
      maxItems: 12,
      description: 'The last attempts, in order, at most 12.',
      examples: [delivery.attempts],
    }),
  },
  'An event for a webhook, and what became of it.',
  delivery,
)
export type Delivery = Type.Static<typeof Delivery>

export const deliveriesFilter = Type.Partial({
  status: filterBy(DeliveryStatus, 'Only deliveries with this status.'),
  eventId: int64({ description: 'Only the delivery of this event.', examples: [delivery.eventId] }),
})
export type DeliveriesFilter = Type.Static<typeof deliveriesFilter>

export const NewReplay = bodyOf(
  'NewReplay',
  {
    after: int64({
      description: 'The last event that is not sent again: a position in the log of events.',
      minimum: 0,
      examples: [1],
    }),
  },
  'Which events to send again.',
  { after: 1 },
)
export type NewReplay = Type.Static<typeof NewReplay>
