import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { aPet, expectError, startApp } from '../../test/harness/app.ts'
import { requests } from '../../test/harness/operations.ts'
import { operations } from '../app/operations.ts'
import { idempotencyStorage } from '../db/idempotency-storage.ts'
import { updateKeyUsed } from '../features/keys/queries.ts'

const dayMs = 86_400_000
const settings = { PETSTORE_IDEMPOTENCY_KEYS_MAX: '2' }

async function startLimited() {
  const app = await startApp({ settings })
  const create = (key: string, more: object = {}) =>
    app.api.post('/v1/pets', aPet(), { headers: { 'idempotency-key': key }, ...more })
  /** Sends requests until one has this status: results are counted in the background. */
  async function createUntil(status: number) {
    for (let round = 1; ; round += 1) {
      const answer = await create('last')
      if (answer.status === status) return answer
      assert.ok(round < 1_000, `still ${answer.status}`)
      await turn()
    }
  }
  return { ...app, create, createUntil }
}

it('429: no more results are stored for a key than allowed; other requests go on', async () => {
  const { api, create, issueKey } = await startLimited()
  const other = await issueKey()
  const first = await create('a')
  assert.equal((await create('a')).text, first.text)
  assert.equal((await create('b')).status, 201)

  const refused = await create('c')

  expectError(refused, 429, 'too_many_idempotency_keys')
  assert.equal(refused.headers['retry-after'], '60')
  assert.equal((await create('a')).status, 429)
  assert.equal((await api.post('/v1/pets', aPet())).status, 201)
  assert.equal((await create('c', { key: other })).status, 201)
  assert.equal(((await api.get('/v1/pets')).json() as unknown[]).length, 4)
})

it('429: before the scope and the body are checked', async () => {
  const { api, create, issueKey } = await startLimited()
  const key = await issueKey({ scopes: ['orders:write', 'keys:manage'] })
  const headers = { 'idempotency-key': 'x' }
  for (const name of ['a', 'b']) {
    const sent = { key, headers: { 'idempotency-key': name } }
    const body = { name, scopes: ['orders:write'] }
    assert.equal((await api.post('/v1/keys', body, sent)).status, 201)
  }

  expectError(await api.post('/v1/keys', {}, { key, headers }), 429, 'too_many_idempotency_keys')
  expectError(await create('c', { key }), 429, 'too_many_idempotency_keys')
})

it('429: every operation that takes an Idempotency-Key has this bound', async () => {
  const { api, create } = await startLimited()
  await create('a')
  await create('b')
  const idempotent = new Set(
    operations
      .filter(({ operation }) => operation.idempotency)
      .map((one) => one.operation.operationId),
  )
  const headers = { 'idempotency-key': 'c' }

  const sent = requests.filter(({ operationId }) => idempotent.has(operationId))
  for (const { method, url, body } of sent) {
    const refused = await api.send(method, url, { body, headers })
    expectError(refused, 429, 'too_many_idempotency_keys')
  }
  assert.equal(sent.length, idempotent.size)
})

it('201: refused requests and replays take no room, and a result makes room when it expires', async () => {
  const { api, clock, context, create, createUntil } = await startLimited()
  const headers = { 'idempotency-key': 'bad' }
  for (let round = 0; round < 5; round += 1)
    assert.equal((await api.post('/v1/pets', {}, { headers })).status, 400)
  const first = await create('a')
  for (let round = 0; round < 5; round += 1) assert.equal((await create('a')).text, first.text)
  assert.equal((await create('b')).status, 201)
  assert.equal((await create('c')).status, 429)

  clock.ms += dayMs + 1
  for (const { runStep } of idempotencyStorage.jobs ?? [])
    await runStep(context.db, clock.ms, undefined)

  await createUntil(201)
})

it('429: what another process stored counts within a minute', async () => {
  const { clock, create, createUntil, context } = await startLimited()
  assert.equal((await create('a')).status, 201)
  const { db } = context
  const now = clock.ms
  const claim = { keyId: 1n, operation: 'createPet', fingerprint: new Uint8Array(32), now }
  await db.writeIdempotent(
    updateKeyUsed,
    { id: 1n, lastUsedAt: now },
    { ...claim, key: 'elsewhere', expiresAt: now + dayMs, isWithheld: false },
  )

  clock.ms += 60_000

  await createUntil(429)
})
