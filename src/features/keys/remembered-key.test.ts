import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import type { Db } from '../../db/db.ts'
import { openKeyCache } from './key-cache.ts'

// A connection remembers the last Authorization header it sent, so that its key is not looked up for each request.

it('401: a revoked key is refused, also on a connection that remembers it', async () => {
  const { context, issueKey, revokeKey } = await startApp()
  const ring = await openKeyCache(context)
  const connection = {}
  const key = await issueKey()
  await ring.refresh()
  await ring.authenticate(key, connection)
  assert.ok(!(ring.authenticate(key, connection) instanceof Promise))

  await revokeKey(key)
  await ring.refresh()

  await assert.rejects(async () => ring.authenticate(key, connection), { code: 'revoked_api_key' })
  await ring.close()
})

it('401: an expired key is refused, also on a connection that remembers it', async () => {
  const { context, issueKey, clock } = await startApp()
  const ring = await openKeyCache(context)
  const connection = {}
  const key = await issueKey({ validMs: 1_000 })
  await ring.refresh()
  await ring.authenticate(key, connection)

  clock.ms += 1_000

  assert.throws(() => ring.authenticate(key, connection), { code: 'expired_api_key' })
  await ring.close()
})

it('401: another key on the same connection is looked up', async () => {
  const { context, issueKey, key } = await startApp()
  const ring = await openKeyCache(context)
  const connection = {}
  const readOnly = await issueKey({ scopes: ['pets:read'] })
  await ring.refresh()

  const all = await ring.authenticate(key, connection)
  const one = await ring.authenticate(readOnly, connection)
  const again = await ring.authenticate(key, connection)

  assert.deepEqual([...one.scopes], ['pets:read'])
  assert.equal(again.keyId, all.keyId)
  await assert.rejects(async () => ring.authenticate(`${key.slice(0, -1)}_`, connection), {
    code: 'invalid_api_key',
  })
  await ring.close()
})

it('401: a key that is revoked while it is looked up is accepted once', async () => {
  const { context, issueKey, revokeKey } = await startApp()
  const key = await issueKey()
  const found = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const read: Db['read'] = async (query, input) => {
    const result = await context.db.read(query, input)
    if (input instanceof Uint8Array) {
      found.resolve()
      await gate.promise
    }
    return result
  }
  const cache = await openKeyCache({ ...context, db: { ...context.db, read } })
  const first = cache.authenticate(key, {})
  await found.promise

  await revokeKey(key)
  await cache.refresh()
  gate.resolve()

  assert.equal((await first).keyId, 2n)
  await assert.rejects(async () => cache.authenticate(key, {}), { code: 'revoked_api_key' })
  await cache.close()
})
