import { instant, int32, int64, pageOf, rateLimitMax, text } from '../../../contract/schemas.ts'
import * as Type from '../../../contract/type.ts'

const nameMax = 200
const dayS = 86_400
const createdAt = '2026-11-02T09:30:00.000Z'
export const first = {
  id: 1,
  name: 'test',
  hint: 'pet_test_…h2f9',
  scopes: ['default', 'keys:manage', 'webhooks:manage'],
  createdAt,
}
export const firstScopes = [
  ...['pets:read', 'pets:write', 'orders:read', 'orders:write'],
  ...['inventory:read', 'inventory:write', 'keys:manage', 'webhooks:manage'],
]
export const newShop = { name: 'Web shop', scopes: ['pets:read', 'orders:write'] }
export const shop = { id: 5, ...newShop, hint: 'pet_test_…Kc3x', createdAt, createdBy: 1 }
export const secret = 'pet_test_EXAMPLEexampleEXAMPLEexample0001SaG1Vx'

const name = text({ max: nameMax, description: 'What the key is for.', examples: [first.name] })

const scopeList = (description: string) =>
  Type.Array(Type.String({ maxLength: 50, allowed: 'a scope, such as pets:read, or default' }), {
    minItems: 1,
    maxItems: 50,
    description,
    allowed: 'an array of scopes',
    examples: [first.scopes],
  })

const scopes = scopeList(
  'What the key may do: scopes such as `pets:read`, or `default` for every scope of the serving version but those that end in `:manage`.',
)

const hint = (description: string) =>
  Type.String({ maxLength: 20, description, examples: [first.hint] })

const expiryExample = '2030-12-05T00:00:00.000Z'
const allowedExpiry = 'an instant in the future, such as 2030-12-05T00:00:00Z'
const expiry = {
  ...instant('When the key expires; never when absent.', expiryExample),
  allowed: allowedExpiry,
}

const rateLimit = int32({
  minimum: 1,
  maximum: rateLimitMax,
  description:
    'How many requests per second the key may send to each process of the service; that of the settings when absent.',
  examples: [50],
})

export const NewKey = Type.Object(
  {
    name,
    scopes: Type.Optional(scopes),
    expiresAt: Type.Optional(Type.Unsafe<string>(expiry)),
    rateLimit: Type.Optional(rateLimit),
  },
  {
    $id: 'NewKey',
    description: 'A key to create. Without `scopes` it has `default`. Unknown members are ignored.',
    allowed: 'a JSON object with name',
    examples: [newShop],
  },
)
export type NewKey = Type.Static<typeof NewKey>

export const KeyChange = Type.Object(
  {
    name: Type.Optional(name),
    scopes: Type.Optional(scopes),
    expiresAt: Type.Optional(
      Type.Unsafe<string | null>({
        anyOf: [{ ...expiry, allowed: `null for never, or ${allowedExpiry}` }, { type: 'null' }],
        description: 'When the key expires; `null` for never.',
        examples: [expiryExample, null],
      }),
    ),
    rateLimit: Type.Optional(
      Type.Unsafe<number | null>({
        anyOf: [
          {
            ...rateLimit,
            allowed: `null for that of the settings, or an integer from 1 to ${rateLimitMax}`,
          },
          { type: 'null' },
        ],
        description:
          'How many requests per second the key may send to each process of the service; `null` for that of the settings.',
        examples: [50, null],
      }),
    ),
  },
  {
    $id: 'KeyChange',
    description: 'Fields to change; omitted fields keep their value. Unknown members are ignored.',
    allowed: 'a JSON object with name, scopes, expiresAt or rateLimit',
    examples: [{ name: 'Web shop in Oslo' }],
  },
)
export type KeyChange = Type.Static<typeof KeyChange>

export const NewRotation = Type.Object(
  {
    overlapSeconds: Type.Optional(
      Type.Unsafe<number>({
        ...int32({
          minimum: 0,
          maximum: 7 * dayS,
          description: 'How long the old key is accepted beside its successor; a day when absent.',
          examples: [3_600],
        }),
        absentMeans: dayS,
      }),
    ),
  },
  {
    $id: 'NewRotation',
    description: 'How to rotate a key. Unknown members are ignored.',
    allowed: 'a JSON object',
    examples: [{ overlapSeconds: 3_600 }],
  },
)
export type NewRotation = Type.Static<typeof NewRotation>

const id = int64({
  description: 'Unique identifier assigned by the service; a rotation keeps it.',
  minimum: 1,
  examples: [first.id],
})
const members = {
  id,
  name,
  hint: hint('A part of the key, enough to recognise it.'),
  scopes,
  createdAt: instant('When the key was created.', createdAt),
  createdBy: Type.Optional(
    int64({
      description: 'The key that created it; absent for the command line and the first start.',
      minimum: 1,
      examples: [first.id],
    }),
  ),
  rateLimit: Type.Optional(rateLimit),
  expiresAt: Type.Optional(
    instant('When the key expires; absent where it does not.', expiryExample),
  ),
  lastUsedAt: Type.Optional(
    instant('When the key was last used, up to a minute late; absent before.', createdAt),
  ),
  revokedAt: Type.Optional(instant('When the key was revoked.', createdAt)),
  previousHint: Type.Optional(hint('A part of the key that the last rotation replaced.')),
  previousEndsAt: Type.Optional(
    instant('Until when the replaced key is accepted.', '2026-11-03T09:30:00.000Z'),
  ),
}

export const Key = Type.Object(members, {
  $id: 'Key',
  description: 'What is known of a key; the key itself is not stored.',
  examples: [first],
})
export type Key = Type.Static<typeof Key>

export const Keys = pageOf(Key, {
  $id: 'Keys',
  description: 'A page of keys.',
  examples: [[first]],
})

export const IssuedKey = Type.Object(
  {
    ...members,
    key: Type.String({
      maxLength: 100,
      description: 'The key. It is in this response alone.',
      examples: [secret],
    }),
  },
  {
    $id: 'IssuedKey',
    description: 'A key that was just issued.',
    examples: [{ ...shop, key: secret }],
  },
)
export type IssuedKey = Type.Static<typeof IssuedKey>

const environments = ['production', 'staging'] as const

export const OwnKey = Type.Object(
  {
    id,
    name,
    scopes: scopeList('Every scope of the key.'),
    environment: Type.Unsafe<(typeof environments)[number]>({
      type: 'string',
      enum: environments,
      description: 'The environment of the key.',
      examples: ['staging'],
    }),
    expiresAt: Type.Optional(
      instant(
        'When the key expires, or ends because it was rotated; absent where it does not.',
        expiryExample,
      ),
    ),
  },
  {
    $id: 'OwnKey',
    description: 'The key of the request.',
    examples: [{ id: 1, name: 'test', scopes: firstScopes, environment: 'staging' }],
  },
)
export type OwnKey = Type.Static<typeof OwnKey>
