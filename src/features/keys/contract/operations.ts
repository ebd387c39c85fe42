import { defineOperation } from '../../../contract/operation.ts'
import { operationsOn } from '../../../contract/record-operations.ts'
import type { Tag } from '../../../contract/tags.ts'
import {
  first,
  firstScopes,
  IssuedKey,
  keyRecord,
  NewRotation,
  newShop,
  OwnKey,
  secret,
  shop,
} from './keys.ts'

const tag: Tag = {
  name: 'keys',
  displayName: 'Keys',
  description: 'API keys: who may use the store, and for what.',
}
const lifecycle = { stability: 'stable' } as const

const keys = operationsOn({
  ...keyRecord.kind,
  tag,
  lifecycle,
  read: 'keys:manage',
  write: 'keys:manage',
})

const usesOfKey = [
  keys.link('updateKey', 'Change this key.'),
  keys.link('rotateKey', 'Rotate this key.'),
  keys.link('revokeKey', 'Revoke this key.'),
]

const shownOnce =
  'The key is in this response alone: it is not stored, and a repetition with the same `Idempotency-Key` is refused.'
const needsScopes = 'The caller needs every scope that the key has or gets, besides `keys:manage`.'
const givesNoMore = `${needsScopes} A caller with an end or a rate limit gives no later end and no higher limit.`

export const getOwnKeyOperation = defineOperation({
  operationId: 'getOwnKey',
  method: 'GET',
  path: '/keys/self',
  client: 'keys.getOwn',
  tag,
  summary: 'Get the key of the request',
  description: 'Returns the name, the scopes, the environment and the end of the key that is sent.',
  scope: 'anyKey',
  lifecycle,
  returns: 'record',
  item: OwnKey,
  errors: [],
  examples: {
    name: 'first',
    summary: 'A key that may manage keys',
    response: { id: 1, name: 'test', scopes: firstScopes, environment: 'staging' },
  },
})

export const listKeysOperation = keys.list({
  description:
    'Returns a page of keys in ascending order of ids, also those that were revoked or have expired, for a year. A rotated key has the hint of the key that it replaced, too.',
  examples: { name: 'none', summary: 'The keys after the tenth', response: [] },
})

export const getKeyOperation = keys.get({
  exampleId: 1,
  description: 'Returns what is known of one key.',
  examples: { name: 'first', summary: 'A key that may manage keys', response: first },
  links: usesOfKey,
})

export const createKeyOperation = keys.create({
  idempotency: 'withheld',
  summary: 'Create a key',
  description: `Creates a key. ${shownOnce} ${givesNoMore}`,
  item: IssuedKey,
  examples: {
    name: 'shop',
    summary: 'A key for a web shop',
    body: newShop,
    response: { ...shop, key: secret },
  },
  links: [keys.link('getKey', 'Get this key.'), ...usesOfKey],
})

export const updateKeyOperation = keys.update({
  exampleId: 2,
  description: `Changes the fields that are sent. ${givesNoMore} Every process applies the change within a second.`,
  errors: ['key_not_active', 'last_key_manager'],
  examples: {
    name: 'oslo',
    summary: 'Another name for a key',
    body: { name: 'Web shop in Oslo' },
    response: { ...first, id: 2, name: 'Web shop in Oslo', scopes: ['default'] },
  },
})

export const revokeKeyOperation = keys.delete({
  operationId: 'revokeKey',
  client: 'keys.revoke',
  exampleId: 4,
  summary: 'Revoke a key',
  description: `Refuses the key, and one that a rotation has replaced, from the next request on; other processes do within a second. The record stays for a year. ${needsScopes}`,
  errors: ['last_key_manager'],
  examples: { name: 'revoked', summary: 'A key that is revoked' },
})

export const rotateKeyOperation = keys.act('rotate')({
  idempotency: 'withheld',
  exampleId: 3,
  description: `Issues a successor with the same id, name and scopes. The old key is accepted for a day, or for \`overlapSeconds\`. ${shownOnce} ${givesNoMore}`,
  body: NewRotation,
  item: IssuedKey,
  errors: ['key_not_active', 'rotation_in_progress'],
  examples: {
    name: 'hour',
    summary: 'A successor, and an hour to replace the old key',
    body: { overlapSeconds: 3_600 },
    response: {
      ...first,
      id: 3,
      scopes: ['default'],
      hint: shop.hint,
      previousHint: first.hint,
      previousEndsAt: '2026-11-02T10:30:00.000Z',
      key: secret,
    },
  },
})
