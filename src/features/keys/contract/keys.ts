import { member } from '../../../contract/member.ts'
import { defineRecord } from '../../../contract/record.ts'
import {
  assignedId,
  bodyOf,
  instant,
  int32,
  nullable,
  objectOf,
  oneOf,
  rateLimitMax,
  text,
  textUpTo,
} from '../../../contract/schemas.ts'
import * as Type from '../../../contract/type.ts'
import type { Grant } from '../grants.ts'

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
  'pets:read',
  'pets:write',
  'orders:read',
  'orders:write',
  'inventory:read',
  'inventory:write',
  'keys:manage',
  'webhooks:manage',
]
export const newShop = { name: 'Web shop', scopes: ['pets:read', 'orders:write'] }
export const shop = { id: 5, ...newShop, hint: 'pet_test_…Kc3x', createdAt, createdBy: 1 }
export const secret = 'pet_test_EXAMPLEexampleEXAMPLEexample0001SaG1Vx'

const name = text({ max: 200, description: 'What the key is for.', examples: [first.name] })

const scopeList = (description: string) =>
  Type.Array(Type.String({ maxLength: 50, allowed: 'a scope, such as pets:read, or default' }), {
    minItems: 1,
    maxItems: 50,
    description,
    allowed: 'an array of scopes',
    examples: [first.scopes],
  })

const whatScopesDo =
  'What the key may do: scopes such as `pets:read`, or `default` for every scope of the serving version but those that end in `:manage`.'
const scopes = scopeList(whatScopesDo)

const hint = (description: string) =>
  Type.String({ maxLength: 20, description, examples: [first.hint] })

const expiryExample = '2030-12-05T00:00:00.000Z'
const expiry = {
  ...instant('When the key expires; absent where it does not.', expiryExample),
  // An offset, and any precision.
  maxLength: 100,
  allowed: 'an instant in the future, such as 2030-12-05T00:00:00Z',
}

const rateLimit = int32({
  minimum: 1,
  maximum: rateLimitMax,
  description:
    'How many requests per second the key may send to each process of the service; that of the settings when absent.',
  examples: [50],
})

const id = assignedId(first.id, 'Unique identifier assigned by the service; a rotation keeps it.')

export const keyRecord = defineRecord({
  noun: 'key',
  description: 'What is known of a key; the key itself is not stored.',
  sent: ['name', 'scopes', 'expiresAt', 'rateLimit'],
  members: {
    id,
    name,
    hint: hint('A part of the key, enough to recognise it.'),
    scopes: member(Type.Unsafe<Grant[]>(scopes), {
      new: Type.Optional(scopeList(`${whatScopesDo} A new key without them has \`default\`.`)),
      change: scopes,
      isWords: true,
    }),
    createdAt: instant('When the key was created.', createdAt),
    createdBy: Type.Optional(
      assignedId(
        first.id,
        'The key that created it; absent for the command line and the first start.',
      ),
    ),
    rateLimit: Type.Optional(
      member(rateLimit, {
        change: nullable(rateLimit, 'for that of the settings', {
          description:
            'How many requests per second the key may send to each process of the service; `null` for that of the settings.',
          examples: [50, null],
        }),
      }),
    ),
    expiresAt: Type.Optional(
      member(expiry, {
        change: nullable(expiry, 'for never', {
          description: 'When the key expires; `null` for never.',
          examples: [expiryExample, null],
        }),
      }),
    ),
    lastUsedAt: Type.Optional(
      member(
        instant('When the key was last used, up to a minute late; absent before.', createdAt),
        {
          isApart: true,
        },
      ),
    ),
    revokedAt: Type.Optional(instant('When the key was revoked.', createdAt)),
    previousHint: Type.Optional(hint('A part of the key that the last rotation replaced.')),
    previousEndsAt: Type.Optional(
      instant('Until when the replaced key is accepted.', '2026-11-03T09:30:00.000Z'),
    ),
  },
  examples: { record: first, new: newShop, changes: [{ name: 'Web shop in Oslo' }] },
})
export type Key = Type.Static<typeof keyRecord.Item>
export type NewKey = Type.Static<typeof keyRecord.New>
export type KeyChange = Type.Static<typeof keyRecord.Change>

const overlap = int32({
  minimum: 0,
  maximum: 7 * dayS,
  description: 'How long the old key is accepted beside its successor; a day when absent.',
  examples: [3_600],
})

export const NewRotation = bodyOf(
  'NewRotation',
  { overlapSeconds: Type.Optional({ ...overlap, absentMeans: dayS }) },
  'How to rotate a key.',
  { overlapSeconds: 3_600 },
)
export type NewRotation = Type.Static<typeof NewRotation>

export const IssuedKey = objectOf(
  'IssuedKey',
  {
    ...keyRecord.Item.properties,
    key: textUpTo(100, 'The key. It is in this response alone.', secret),
  },
  'A key that was just issued.',
  { ...shop, key: secret },
)
export type IssuedKey = Type.Static<typeof IssuedKey>

export const OwnKey = objectOf(
  'OwnKey',
  {
    id,
    name,
    scopes: scopeList('Every scope of the key.'),
    environment: oneOf(['production', 'staging'], {
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
  'The key of the request.',
  { id: 1, name: 'test', scopes: firstScopes, environment: 'staging' },
)
export type OwnKey = Type.Static<typeof OwnKey>
