// Made from the contract by tools/generate.ts.

import type { Call } from '../call.ts'
import { List } from '../list.ts'
import type { CreateOptions, Int64, ListOptions, Operation, RequestOptions } from '../operation.ts'
import type { Transport } from '../transport.ts'
import type { IssuedKey, Key, KeyChange, ListKeysQuery, NewKey, NewRotation, OwnKey } from './records.ts'

const getOwnKey: Operation = {
  id: 'getOwnKey',
  method: 'GET',
  path: '/keys/self',
}

const listKeys: Operation = {
  id: 'listKeys',
  method: 'GET',
  path: '/keys',
}

const createKey: Operation = {
  id: 'createKey',
  method: 'POST',
  path: '/keys',
  isKeyed: true,
}

const getKey: Operation = {
  id: 'getKey',
  method: 'GET',
  path: '/keys/{keyId}',
}

const updateKey: Operation = {
  id: 'updateKey',
  method: 'PATCH',
  path: '/keys/{keyId}',
}

const revokeKey: Operation = {
  id: 'revokeKey',
  method: 'DELETE',
  path: '/keys/{keyId}',
}

const rotateKey: Operation = {
  id: 'rotateKey',
  method: 'POST',
  path: '/keys/{keyId}/rotate',
  isKeyed: true,
}

export class Keys {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Get the key of the request.
   *
   * Returns the name, the scopes, the environment and the end of the key that is sent.
   */
  getOwn(options: RequestOptions = {}): Call<OwnKey> {
    return this.#transport.call(getOwnKey, {}, options)
  }

  /**
   * List all keys.
   *
   * Returns a page of keys in ascending order of ids, also those that were revoked or have expired, for a year. A rotated key has the hint of the key that it replaced, too.
   */
  list(query: ListKeysQuery = {}, options: ListOptions = {}): List<Key> {
    return new List(this.#transport, listKeys, { query }, options)
  }

  /**
   * Create a key.
   *
   * Creates a key. The key is in this response alone: it is not stored, and a repetition with the same `Idempotency-Key` is refused. The caller needs every scope that the key has or gets, besides `keys:manage`. A caller with an end or a rate limit gives no later end and no higher limit.
   */
  create(body: NewKey, options: CreateOptions = {}): Call<IssuedKey> {
    return this.#transport.call(createKey, { body }, options)
  }

  /**
   * Get a key.
   *
   * Returns what is known of one key.
   */
  get(keyId: Int64, options: RequestOptions = {}): Call<Key> {
    return this.#transport.call(getKey, { ids: [keyId] }, options)
  }

  /**
   * Update a key.
   *
   * Changes the fields that are sent. The caller needs every scope that the key has or gets, besides `keys:manage`. A caller with an end or a rate limit gives no later end and no higher limit. Every process applies the change within a second.
   */
  update(keyId: Int64, body: KeyChange, options: RequestOptions = {}): Call<Key> {
    return this.#transport.call(updateKey, { ids: [keyId], body }, options)
  }

  /**
   * Revoke a key.
   *
   * Refuses the key, and one that a rotation has replaced, from the next request on; other processes do within a second. The record stays for a year. The caller needs every scope that the key has or gets, besides `keys:manage`.
   */
  revoke(keyId: Int64, options: RequestOptions = {}): Call<void> {
    return this.#transport.call(revokeKey, { ids: [keyId] }, options)
  }

  /**
   * Rotate a key.
   *
   * Issues a successor with the same id, name and scopes. The old key is accepted for a day, or for `overlapSeconds`. The key is in this response alone: it is not stored, and a repetition with the same `Idempotency-Key` is refused. The caller needs every scope that the key has or gets, besides `keys:manage`. A caller with an end or a rate limit gives no later end and no higher limit.
   */
  rotate(keyId: Int64, body: NewRotation, options: CreateOptions = {}): Call<IssuedKey> {
    return this.#transport.call(rotateKey, { ids: [keyId], body }, options)
  }
}
