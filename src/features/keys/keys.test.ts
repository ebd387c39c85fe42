import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import { mockTimers } from '../../../test/harness/mock-timers.ts'
import type { Db } from '../../db/db.ts'
import { scopes } from '../scopes.ts'
import { createFirstKey } from './create-key.ts'
import { getKey } from './get-key.ts'
import { openKeyCache } from './key-cache.ts'
import { selectKeys, updateKeyUsed } from './queries.ts'

it("only a key's digest and hint are stored", async () => {
  const { context, key } = await startApp()

  const [stored, ...others] = await context.db.read(selectKeys, undefined)

  assert.ok(stored)
  assert.equal(others.length, 0)
  assert.equal(stored.digest.length, 32)
  assert.equal(stored.hint, `pet_test_…${key.slice(-4)}`)
  const text = JSON.stringify(stored, (_name, value) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  assert.ok(!text.includes(key.slice(9, 41)))
})

it('the first key has every scope, may manage keys, and does not expire', async () => {
  const { api, context } = await startApp()

  const [stored] = await context.db.read(selectKeys, undefined)
  const { headers } = await api.get('/v1/pets', { headers: { prefer: 'scopes' } })

  assert.deepEqual(stored?.scopes, ['default', 'keys:manage', 'webhooks:manage'])
  assert.equal(headers['petstore-scopes'], scopes.join(' '))
  assert.equal(stored?.expiresAt, undefined)
  assert.equal(stored?.revokedAt, undefined)
})

it('a store that has a key gets no first key', async () => {
  const { context } = await startApp()

  assert.equal(await createFirstKey(context, () => undefined), undefined)
  assert.equal((await context.db.read(selectKeys, undefined)).length, 1)
})

it("the date of a key's last use is stored when the service stops", async () => {
  const { api, context, clock, close } = await startApp({ now: '2027-01-01T00:00:00Z' })
  const writes: unknown[] = []
  const write = context.db.write
  context.db.write = (transaction, input) => {
    writes.push(input)
    return write(transaction, input)
  }
  clock.ms += 7
  await api.get('/v1/pets')
  await api.get('/v1/pets', { key: null })

  await close()

  const lastUsedAt = Date.parse('2027-01-01T00:00:00.007Z')
  assert.deepEqual(writes, [{ id: 1n, lastUsedAt }])
})

it('the date of the last use is stored each minute; one that could not be stored is stored later', async (t) => {
  const { context, key } = await startApp()
  const writes: unknown[] = []
  let isDown = true
  const write: Db['write'] = (transaction, input) => {
    if (isDown) return Promise.reject(new Error('The database is down.'))
    writes.push(input)
    return context.db.write(transaction, input)
  }
  mockTimers(t.mock, 'setInterval')
  const cache = await openKeyCache({ ...context, db: { ...context.db, write } })
  await cache.authenticate(key, {})
  t.mock.timers.tick(60_000)
  assert.deepEqual(writes, [])
  isDown = false

  t.mock.timers.tick(60_000)

  assert.deepEqual(writes, [{ id: 1n, lastUsedAt: context.clock() }])
  await cache.close()
})

it('of the last uses that two processes store the later one counts', async () => {
  const { context } = await startApp()
  const used = (lastUsedAt: number) => context.db.write(updateKeyUsed, { id: 1n, lastUsedAt })

  await used(2_000)
  await used(1_000)

  assert.equal((await getKey(context, 1n)).lastUsedAt, '1970-01-01T00:00:02.000Z')
})
