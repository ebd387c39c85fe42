import { anyEventSchema } from '../contract/event-schemas.ts'
import type { EventTypes } from '../contract/event-type.ts'
import { headerParameter } from './headers.ts'
import { stabilityMarks } from './operation-object.ts'
import type { Schemas } from './schemas.ts'

const header = (name: string, description: string, example: string, schema: object) =>
  headerParameter({ name, description, example, required: true }, schema)

/** The headers of the requests of a webhook: those of Standard Webhooks 1.0, and of W3C Trace Context. */
export const webhookParameters = {
  WebhookId: header(
    'webhook-id',
    'The id of the event: the same at each attempt, and at each webhook.',
    '1',
    { maxLength: 19, pattern: '^[0-9]+$' },
  ),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'When the attempt was made, in seconds since 1970. Refuse one that is more than five minutes away.',
    '1793611800',
    { maxLength: 10, pattern: '^[0-9]+$' },
  ),
  WebhookSignature: header(
    'webhook-signature',
    'Signatures separated by spaces, one for each secret of the webhook: `v1,` and the HMAC-SHA256, in Base64, of `{webhook-id}.{webhook-timestamp}.{body}`.',
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    { maxLength: 95, pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)?$' },
  ),
  Traceparent: {
    ...header(
      'traceparent',
      'The span in which the change was made (W3C Trace Context): that of the request, or, where the store does not trace, the one that its client sent.',
      '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      { maxLength: 55, pattern: '^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$' },
    ),
    required: false,
  },
}

const responses = {
  '2XX': { description: 'The event was received. Nothing in the response is read.' },
  410: { description: 'The receiver is gone: the webhook is disabled.' },
  default: {
    description:
      'The event was not received: it is sent again, up to ten times in all, after 5 seconds to 24 hours, or when `Retry-After` asks for it.',
  },
}

/** The request that a store makes of the receivers of its webhooks: one for all types of events. */
export function webhooksOf(eventTypes: EventTypes, { refer }: Schemas): Record<string, object> {
  const event = {
    operationId: 'onEvent',
    tags: ['webhooks'],
    summary: 'An event',
    description:
      'Sent to webhooks that ask for the type of the event, or for all types, and whose creator has the scope that its schema names.',
    ...stabilityMarks.beta,
    // It is the receiver's: no key of the store is sent.
    security: [],
    parameters: Object.keys(webhookParameters).map((name) => ({
      $ref: `#/components/parameters/${name}`,
    })),
    requestBody: {
      required: true,
      description: 'The event, as `getEvent` returns it.',
      content: {
        'application/json': { schema: refer(anyEventSchema(eventTypes)) },
      },
    },
    responses,
  }
  return { event: { post: event } }
}
