import { member } from '../../../contract/member.ts'
import { defineRecord } from '../../../contract/record.ts'
import {
  assignedId,
  instant,
  int64,
  nullable,
  objectOf,
  oneOf,
  text,
  textUpTo,
} from '../../../contract/schemas.ts'
import * as Type from '../../../contract/type.ts'

/** In characters. */
const urlMax = 2_000

const createdAt = '2026-11-02T09:30:00.000Z'
export const newAccounting = {
  url: 'https://accounting.example/hooks/petstore',
  types: ['order.placed', 'order.cancelled'],
  description: 'Accounting',
}
export const accounting = { id: 1, ...newAccounting, status: 'enabled', createdAt, createdBy: 1 }
export const secret = 'whsec_RVhBTVBMRWV4YW1wbGVFWEFNUExFZXhhbXBsZUVYQU0='

const url = Type.String({
  description:
    'Where events are sent: an `https` address without user name and password, none of whose addresses is private. The settings of the store may allow others.',
  minLength: 1,
  maxLength: urlMax,
  // Neither white space nor other characters that a parser of addresses would remove or replace.
  pattern: '^[!-~]+$',
  allowed: `an https address of at most ${urlMax} characters, such as ${newAccounting.url}`,
  examples: [newAccounting.url],
})

const typeName = Type.String({ maxLength: 50, allowed: 'a type of event, such as order.placed' })
const types = Type.Array(typeName, {
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  examples: [newAccounting.types],
  description:
    'The types of events that are sent; absent, all. An event is sent where the key that made the webhook may read its record.',
  allowed: 'an array of different types of events',
})

export const webhookRecord = defineRecord({
  noun: 'webhook',
  description: 'A webhook, without its secret.',
  sent: ['url', 'types', 'description'],
  members: {
    id: assignedId(accounting.id),
    url,
    types: Type.Optional(
      member(types, {
        change: nullable({ ...types, allowed: 'an array of different types' }, 'for all', {
          description: 'The types of events that are sent; `null` for all.',
          examples: [newAccounting.types, null],
        }),
      }),
    ),
    description: Type.Optional(
      text({
        max: 200,
        description: 'What the webhook is for.',
        examples: [newAccounting.description],
      }),
    ),
    status: member(
      oneOf(['enabled', 'paused', 'disabled'], {
        description:
          'Whether events are sent: `enabled`; `paused` by a request; or `disabled` by the service.',
        examples: ['enabled'],
      }),
      {
        change: oneOf(['enabled', 'paused'], {
          description:
            'Whether events are sent. What happens during a pause is not sent: `missedAfter` says from where to replay it.',
          examples: ['paused'],
        }),
      },
    ),
    disabledReason: Type.Optional(
      oneOf(['gone', 'failing'], {
        description:
          'Why the service disabled it: the receiver responded 410 (`gone`), or no attempt succeeded for five days (`failing`).',
        examples: ['gone'],
      }),
    ),
    blockedReason: Type.Optional(
      member(
        oneOf(['copied', 'key_ended'], {
          description:
            'Why nothing is sent whatever the `status`: the store is a copy or was recovered, until `petstore webhooks resume` on its machine (`copied`); or the key that created the webhook is no longer accepted (`key_ended`). Events omit it.',
          examples: ['copied'],
        }),
        { column: null },
      ),
    ),
    failingSince: Type.Optional(
      member(
        instant(
          'The first failed attempt since the last that succeeded. Events omit it.',
          createdAt,
        ),
        { isUnrecorded: true },
      ),
    ),
    missedAfter: Type.Optional(
      member(
        int64({
          description:
            'Events after this one were not sent, during a pause, while the webhook was disabled, or since the store is a copy: `replayWebhook` sends them. Absent where none was missed. Events omit it.',
          minimum: 0,
          examples: [7],
        }),
        { isUnrecorded: true, isApart: true },
      ),
    ),
    createdAt: instant('When the webhook was created.', createdAt),
    createdBy: Type.Optional(
      assignedId(
        accounting.createdBy,
        'The key that created it, whose scopes decide which events are sent.',
      ),
    ),
    previousSecretEndsAt: Type.Optional(
      instant('Until when the replaced secret signs too.', '2026-11-03T09:30:00.000Z'),
    ),
  },
  examples: { record: accounting, new: newAccounting, changes: [{ status: 'paused' }] },
})
export type Webhook = Type.Static<typeof webhookRecord.Item>
export type NewWebhook = Type.Static<typeof webhookRecord.New>
export type WebhookChange = Type.Static<typeof webhookRecord.Change>

export const IssuedWebhook = objectOf(
  'IssuedWebhook',
  {
    ...webhookRecord.Item.properties,
    secret: textUpTo(
      100,
      'The secret that signs deliveries, as Standard Webhooks 1.0 writes it. It is in this response alone.',
      secret,
    ),
  },
  'A webhook with its new secret.',
  { ...accounting, secret },
)
export type IssuedWebhook = Type.Static<typeof IssuedWebhook>
