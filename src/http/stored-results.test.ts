import assert from 'node:assert/strict'
import { it } from 'node:test'
import { aPet, expectError, startApp } from '../../test/harness/app.ts'
import { fillStore, requests } from '../../test/harness/operations.ts'
import { until } from '../../test/harness/until.ts'
import { operations } from '../app/operations.ts'
import { countResults, idempotencyStorage } from '../db/writes/idempotency-storage.ts'
import { updateKeyUsed } from '../features/keys/queries.ts'

const dayMs = 86_400_000

async function startLimited(settings: Record<string, string>) {
  const app = await startApp({ settings })
  const create = (key: string, more: object = {}) =>
    app.api.post('/v1/pets', aPet(), { headers: { 'idempotency-key': key }, ...more })
  return {
    ...app,
    create,
    /** Sends a repetition, which counts the results where that is due, and waits for the count. */
    async count(key: string) {
      await create(key)
      await app.context.db.scan(countResults, { now: app.clock.ms })
    },
  }
}

for (const [title, settings] of [
  ['for a key', { PETSTORE_IDEMPOTENCY_KEYS_MAX: '1' }],
  ['for a key, by bytes', { PETSTORE_IDEMPOTENCY_BYTES_MAX: '100' }],
  ['for all keys', { PETSTORE_IDEMPOTENCY_KEYS_TOTAL_MAX: '1' }],
  ['for all keys, by bytes', { PETSTORE_IDEMPOTENCY_BYTES_TOTAL_MAX: '100' }],
] as const) {
  it(`429: no more results are stored ${title} than allowed; repetitions get theirs, other requests go on`, async () => {
    const { api, create, issueKey } = await startLimited(settings)
    const other = await issueKey()
    const first = await create('a')

    const refused = await create('b')

    expectError(refused, 429, 'too_many_idempotency_keys')
    assert.equal(refused.headers['retry-after'], '60')
    const repeated = await create('a')
    assert.deepEqual([repeated.status, repeated.text], [201, first.text])
    assert.equal(repeated.headers['idempotency-replayed'], 'true')
    assert.equal((await api.post('/v1/pets', aPet())).status, 201)
    const isForAll = title.startsWith('for all')
    assert.equal((await create('b', { key: other })).status, isForAll ? 429 : 201)
    assert.equal(((await api.get('/v1/pets')).json() as unknown[]).length, isForAll ? 2 : 3)
  })
}

it('429: every operation that takes an Idempotency-Key has this bound', async () => {
  const { api, create } = await startLimited({ PETSTORE_IDEMPOTENCY_KEYS_MAX: '1' })
  await fillStore(api)
  await create('a')
  const idempotent = new Set(
    operations
      .filter(({ operation }) => operation.idempotency)
      .map((one) => one.operation.operationId),
  )
  const headers = { 'idempotency-key': 'b' }

  const sent = requests.filter(({ operationId }) => idempotent.has(operationId))
  for (const { method, url, body, file } of sent) {
    const refused = await api.send(method, url, { body, file, headers })
    expectError(refused, 429, 'too_many_idempotency_keys')
  }
  assert.equal(sent.length, idempotent.size)
})

it('201: refused requests and replays take no room, and a result makes room when it expires', async () => {
  const { api, clock, context, create } = await startLimited({
    PETSTORE_IDEMPOTENCY_KEYS_MAX: '2',
  })
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

  // Counted in the background.
  await until(async () => (await create('c')).status === 201)
})

it('429: what another process stored counts within a minute', async () => {
  const { clock, count, create, context } = await startLimited({
    PETSTORE_IDEMPOTENCY_KEYS_MAX: '2',
  })
  await count('a')
  const now = clock.ms
  const claim = { keyId: 1n, operation: 'createPet', fingerprint: new Uint8Array(32), now }
  await context.db.writeIdempotent(
    updateKeyUsed,
    { id: 1n, lastUsedAt: now },
    { ...claim, key: 'elsewhere', expiresAt: now + dayMs, isWithheld: false },
  )

  clock.ms += 60_000
  await count('a')

  expectError(await create('b'), 429, 'too_many_idempotency_keys')
})
