import { instant, int64, pageOf, removableText, text } from '../../../contract/schemas.ts'
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

const typeList = {
  minItems: 1,
  maxItems: 100,
  examples: [newAccounting.types],
}
const typeName = Type.String({ maxLength: 50, allowed: 'a type of event, such as order.placed' })
const types = Type.Array(typeName, {
  ...typeList,
  description:
    'The types of events that are sent, each once; absent, all. An event is sent where the key that made the webhook may read its record.',
  allowed: 'an array of types of events',
})

const describe = {
  max: 200,
  description: 'What the webhook is for.',
  examples: [newAccounting.description],
}

export const NewWebhook = Type.Object(
  { url, types: Type.Optional(types), description: Type.Optional(text(describe)) },
  {
    $id: 'NewWebhook',
    description: 'A webhook to create. Unknown members are ignored.',
    allowed: 'a JSON object with url',
    examples: [newAccounting],
  },
)
export type NewWebhook = Type.Static<typeof NewWebhook>

export const WebhookChange = Type.Object(
  {
    url: Type.Optional(url),
    types: Type.Optional(
      Type.Unsafe<string[] | null>({
        anyOf: [{ ...types, allowed: 'null for all, or an array of types' }, { type: 'null' }],
        description: 'The types of events that are sent; `null` for all.',
        examples: [newAccounting.types, null],
      }),
    ),
    description: Type.Optional(removableText(describe)),
    status: Type.Optional(
      Type.Unsafe<'enabled' | 'paused'>({
        type: 'string',
        enum: ['enabled', 'paused'],
        description:
          'Whether events are sent. What happens during a pause is sent once the webhook is enabled.',
        allowed: 'enabled or paused',
        examples: ['paused'],
      }),
    ),
  },
  {
    $id: 'WebhookChange',
    description: 'Fields to change; omitted fields keep their value. Unknown members are ignored.',
    allowed: 'a JSON object with url, types, description or status',
    examples: [{ status: 'paused' }],
  },
)
export type WebhookChange = Type.Static<typeof WebhookChange>

const statuses = ['enabled', 'paused', 'disabled'] as const
const reasons = ['gone', 'failing'] as const
const blocks = ['copied', 'key_ended'] as const

const members = {
  id: int64({
    description: 'Unique identifier assigned by the service.',
    minimum: 1,
    examples: [accounting.id],
  }),
  url,
  types: Type.Optional(types),
  description: Type.Optional(text(describe)),
  status: Type.Unsafe<(typeof statuses)[number]>({
    type: 'string',
    enum: statuses,
    description:
      'Whether events are sent: `enabled`; `paused` by a request; or `disabled` by the service.',
    examples: [accounting.status],
  }),
  disabledReason: Type.Optional(
    Type.Unsafe<(typeof reasons)[number]>({
      type: 'string',
      enum: reasons,
      description:
        'Why the service disabled it: the receiver responded 410 (`gone`), or no attempt succeeded for five days (`failing`).',
      examples: ['gone'],
    }),
  ),
  blockedReason: Type.Optional(
    Type.Unsafe<(typeof blocks)[number]>({
      type: 'string',
      enum: blocks,
      description:
        'Why nothing is sent whatever the `status`: the store is a copy or was recovered, until `petstore webhooks resume` on its machine (`copied`); or the key that created the webhook is no longer accepted (`key_ended`). Events omit it.',
      examples: ['copied'],
    }),
  ),
  failingSince: Type.Optional(
    instant('The first failed attempt since the last that succeeded. Events omit it.', createdAt),
  ),
  createdAt: instant('When the webhook was created.', createdAt),
  createdBy: Type.Optional(
    int64({
      description: 'The key that created it, whose scopes decide which events are sent.',
      minimum: 1,
      examples: [accounting.createdBy],
    }),
  ),
  previousSecretEndsAt: Type.Optional(
    instant('Until when the replaced secret signs too.', '2026-11-03T09:30:00.000Z'),
  ),
}

export const Webhook = Type.Object(members, {
  $id: 'Webhook',
  description: 'A webhook, without its secret.',
  examples: [accounting],
})
export type Webhook = Type.Static<typeof Webhook>

export const Webhooks = pageOf(Webhook, {
  $id: 'Webhooks',
  description: 'A page of webhooks.',
  examples: [[accounting]],
})

export const IssuedWebhook = Type.Object(
  {
    ...members,
    secret: Type.String({
      maxLength: 100,
      description:
        'The secret that signs deliveries, as Standard Webhooks 1.0 writes it. It is in this response alone.',
      examples: [secret],
    }),
  },
  {
    $id: 'IssuedWebhook',
    description: 'A webhook with its new secret.',
    examples: [{ ...accounting, secret }],
  },
)
export type IssuedWebhook = Type.Static<typeof IssuedWebhook>
