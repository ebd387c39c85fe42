import { defineOperation, type OperationLink, returnedId } from '../../../contract/operation.ts'
import type { Tag } from '../../../contract/tags.ts'
import {
  first,
  firstScopes,
  IssuedKey,
  Key,
  KeyChange,
  Keys,
  NewKey,
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
const managed = { tag, scope: 'keys:manage', lifecycle: { stability: 'beta' } } as const

const keyId = (example: number) => ({
  name: 'keyId',
  record: 'key',
  description: 'The identifier of the key.',
  example,
})

const link = (operationId: string, description: string): OperationLink => ({
  operationId,
  description,
  parameters: { keyId: returnedId },
})
const usesOfKey = [
  link('updateKey', 'Change this key.'),
  link('rotateKey', 'Rotate this key.'),
  link('revokeKey', 'Revoke this key.'),
]

const shownOnce =
  'The key is in this response alone: it is not stored, and a repetition with the same `Idempotency-Key` is refused.'
const needsScopes = 'The caller needs every scope that the key has or gets, besides `keys:manage`.'

export const getOwnKeyOperation = defineOperation({
  operationId: 'getOwnKey',
  method: 'GET',
  path: '/keys/self',
  client: 'keys.getOwn',
  tag,
  summary: 'Get the key of the request',
  description: 'Returns the name, the scopes, the environment and the end of the key that is sent.',
  scope: 'anyKey',
  lifecycle: { stability: 'beta' },
  returns: 'record',
  item: OwnKey,
  errors: [],
  examples: {
    name: 'first',
    summary: 'A key that may manage keys',
    response: { id: 1, name: 'test', scopes: firstScopes, environment: 'staging' },
  },
})

export const listKeysOperation = defineOperation({
  ...managed,
  operationId: 'listKeys',
  method: 'GET',
  path: '/keys',
  client: 'keys.list',
  summary: 'List all keys',
  description:
    'Returns a page of keys in ascending order of ids, revoked and expired ones too. A rotated key shows both parts.',
  returns: 'page',
  item: Key,
  list: Keys,
  errors: [],
  examples: { name: 'none', summary: 'The keys after the tenth', response: [] },
})

export const getKeyOperation = defineOperation({
  ...managed,
  operationId: 'getKey',
  method: 'GET',
  path: '/keys/{keyId}',
  client: 'keys.get',
  pathParameters: [keyId(1)],
  summary: 'Get a key',
  description: 'Returns what is known of one key.',
  returns: 'record',
  item: Key,
  errors: ['not_found'],
  examples: { name: 'first', summary: 'A key that may manage keys', response: first },
  links: usesOfKey,
})

export const createKeyOperation = defineOperation({
  ...managed,
  operationId: 'createKey',
  method: 'POST',
  path: '/keys',
  client: 'keys.create',
  idempotency: 'withheld',
  summary: 'Create a key',
  description: `Creates a key. ${shownOnce} ${needsScopes}`,
  body: NewKey,
  returns: 'created',
  item: IssuedKey,
  errors: [],
  examples: {
    name: 'shop',
    summary: 'A key for a web shop',
    body: newShop,
    response: { ...shop, key: secret },
  },
  links: [link('getKey', 'Get this key.'), ...usesOfKey],
})

export const updateKeyOperation = defineOperation({
  ...managed,
  operationId: 'updateKey',
  method: 'PATCH',
  path: '/keys/{keyId}',
  client: 'keys.update',
  pathParameters: [keyId(2)],
  summary: 'Update a key',
  description: `Changes the fields that are sent. ${needsScopes} Every process applies the change within a second.`,
  body: KeyChange,
  returns: 'record',
  item: Key,
  errors: ['not_found', 'key_not_active', 'last_key_manager'],
  examples: {
    name: 'oslo',
    summary: 'Another name for a key',
    body: { name: 'Web shop in Oslo' },
    response: { ...first, id: 2, name: 'Web shop in Oslo', scopes: ['default'] },
  },
})

export const revokeKeyOperation = defineOperation({
  ...managed,
  operationId: 'revokeKey',
  method: 'DELETE',
  path: '/keys/{keyId}',
  client: 'keys.revoke',
  pathParameters: [keyId(4)],
  summary: 'Revoke a key',
  description: `Refuses the key from the next request on, in other processes within a second, also where it was rotated. The record stays. ${needsScopes}`,
  returns: 'nothing',
  item: Key,
  errors: ['not_found', 'last_key_manager', 'body_too_large'],
  examples: { name: 'revoked', summary: 'A key that is revoked' },
})

export const rotateKeyOperation = defineOperation({
  ...managed,
  operationId: 'rotateKey',
  method: 'POST',
  path: '/keys/{keyId}/rotate',
  client: 'keys.rotate',
  idempotency: 'withheld',
  pathParameters: [keyId(3)],
  summary: 'Rotate a key',
  description: `Issues a successor with the same id, name and scopes. The old key is accepted for a day, or for \`overlapSeconds\`. ${shownOnce} ${needsScopes}`,
  body: NewRotation,
  returns: 'record',
  item: IssuedKey,
  errors: ['not_found', 'key_not_active', 'rotation_in_progress'],
  examples: {
    name: 'hour',
    summary: 'A successor, and an hour to replace the old key',
    body: { overlapSeconds: 3_600 },
    response: {
      ...{ ...first, id: 3, scopes: ['default'], hint: shop.hint },
      ...{ previousHint: first.hint, previousEndsAt: '2026-11-02T10:30:00.000Z', key: secret },
    },
  },
})
