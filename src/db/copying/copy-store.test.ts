import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import fc from 'fast-check'
import { aPet, startApp, type TestApp } from '../../../test/harness/app.ts'
import { freshDatabase, isOnPostgres } from '../../../test/harness/engine.ts'
import { amount, itInFull } from '../../../test/harness/extent.ts'
import { readStore } from '../../../test/harness/store-reader.ts'
import { storage } from '../../app/storage.ts'
import { settings } from '../../config/settings.ts'
import { copiedTables } from '../doors/tables-at.ts'
import { closing } from '../opening/closing.ts'
import { holdPostgresTarget } from '../postgres/hold.ts'
import { openSqliteWriter } from '../sqlite/copying/store-writer.ts'
import { copyStore, type Digests, digestStore } from './copy-store.ts'

const tables = copiedTables(storage)
const noProgress = () => undefined

function aDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-copies-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** A place for a store of this test's engine. */
async function aPlace(t: TestContext, directory: string): Promise<string> {
  const { address, giveBack } = await freshDatabase()
  t.after(giveBack)
  return address === 'sqlite::memory:' ? `sqlite:${join(directory, 'other.db')}` : address
}

async function copy(from: string, to: string): Promise<Digests> {
  const place = settings.database.read(to)
  await using reader = closing(await readStore(settings.database.read(from)))
  if (place.engine === 'sqlite')
    return await copyStore(openSqliteWriter(place.path), reader, tables, noProgress)
  await using target = closing(await holdPostgresTarget(place, storage))
  const mark = { state: 'arriving', id: 'one', peer: from, markedAt: 0 } as const
  const digests = await copyStore(target.fill(mark), reader, tables, noProgress)
  await target.release()
  return digests
}

async function digest(address: string): Promise<Digests> {
  const reader = await readStore(settings.database.read(address))
  try {
    return await digestStore(reader, tables, noProgress)
  } finally {
    await reader.close()
  }
}

type Call = [method: string, path: string, body?: unknown]

const id = fc.integer({ min: 1, max: 4 })
const name = fc.oneof(
  fc.constantFrom('Rex', '\\N', '"\\" Ænne', '\ufffd', '🐕', "x'); --"),
  fc.string({ minLength: 1, maxLength: 50, unit: 'grapheme' }),
)
const status = fc.constantFrom('available', 'available', 'pending', 'sold', undefined)
const categoryId = fc.constantFrom(1, 7, 2 ** 40)
const newPet = fc.record({ name, categoryId, status })
const newCategory = fc.record({ name, description: fc.option(name, { nil: undefined }) })
const newOrder = fc.record({ petId: id, reference: fc.option(name, { nil: undefined }) })
const move = fc.tuple(id, fc.constantFrom('ship', 'deliver'))
const count = fc.tuple(id, fc.integer({ min: 0, max: 1_000_000 }))
const call = fc.oneof(
  { weight: 4, arbitrary: newPet.map((pet): Call => ['POST', '/pets', pet]) },
  { weight: 3, arbitrary: newOrder.map((order): Call => ['POST', '/store/orders', order]) },
  newCategory.map((category): Call => ['POST', '/categories', category]),
  move.map(([order, how]): Call => ['POST', `/store/orders/${order}/${how}`]),
  id.map((order): Call => ['DELETE', `/store/orders/${order}`]),
  id.map((pet): Call => ['DELETE', `/pets/${pet}`]),
  fc
    .tuple(id, name)
    .map(
      ([pet, description]): Call => [
        'PUT',
        `/pets/${pet}/details`,
        { description, tags: ['a\\n'], price: { amount: '0.50', currency: 'EUR' } },
      ],
    ),
  count.map(([pet, quantity]): Call => ['PATCH', `/inventory/${pet}`, { quantity }]),
)
const calls = fc.array(fc.tuple(call, fc.option(fc.constantFrom('a', 'Z', 'é', 'a/b'))), {
  maxLength: 30,
})

/** Sends these requests, whatever their responses; with an Idempotency-Key where there is one. */
async function send({ api }: TestApp, requests: readonly [Call, string | null][]) {
  for (const [[method, path, body], key] of requests) {
    const headers = key === null || method !== 'POST' ? {} : { 'idempotency-key': encodeURI(key) }
    await api.send(method, `/v1${path}`, { ...(body === undefined ? {} : { body }), headers })
  }
}

it('every generated store is equal after a copy to another place and back', async (t) => {
  await fc.assert(
    fc.asyncProperty(calls, async (requests) => {
      const directory = mkdtempSync(join(aDirectory(t), 'store-'))
      const from = `sqlite:${join(directory, 'from.db')}`
      const back = `sqlite:${join(directory, 'back.db')}`
      const app = await startApp({ settings: { PETSTORE_DATABASE: from } })
      await send(app, requests)
      await app.issueKey()
      await app.close()
      const { address, giveBack } = await freshDatabase()
      const there =
        address === 'sqlite::memory:' ? `sqlite:${join(directory, 'there.db')}` : address

      const copied = [await copy(from, there), await copy(there, back)]

      const original = await digest(from)
      assert.deepEqual(
        [...copied, await digest(there), await digest(back)],
        Array(4).fill(original),
      )
      await giveBack()
    }),
    { numRuns: amount({ quick: 1, full: 40 }) },
  )
})

itInFull(
  'a copy is served: keys are accepted, a repeated order is replayed, ids go on',
  async (t) => {
    const directory = aDirectory(t)
    const from = `sqlite:${join(directory, 'from.db')}`
    const to = await aPlace(t, directory)
    const app = await startApp({ settings: { PETSTORE_DATABASE: from } })
    const pet = await app.api.createPet({ status: 'available' })
    const gone = await app.api.createPet()
    await app.api.send('DELETE', `/v1/pets/${gone.id}`)
    const headers = { 'idempotency-key': 'order-1' }
    const order = await app.api.post('/v1/store/orders', { petId: pet.id }, { headers })
    assert.equal(order.status, 201, order.text)
    const { key } = app
    await app.close()

    await copy(from, to)

    const copied = await startApp({ settings: { PETSTORE_DATABASE: to } })
    const replayed = await copied.api.post('/v1/store/orders', { petId: pet.id }, { key, headers })
    assert.deepEqual([replayed.status, replayed.text], [201, order.text])
    const another = await copied.api.post('/v1/store/orders', { petId: pet.id }, { key })
    assert.equal(another.status, 409, 'its pet is reserved')
    const next = await copied.api.post('/v1/pets', aPet(), { key })
    assert.equal((next.json() as { id: number }).id, gone.id + 1, 'no id is assigned again')
  },
)

const itOnPostgres = isOnPostgres ? it : itInFull

itOnPostgres('int64 ids, and texts of any code point, are copied exactly', async (t) => {
  const directory = aDirectory(t)
  const from = `sqlite:${join(directory, 'from.db')}`
  const to = await aPlace(t, directory)
  const firstId = 2n ** 62n + 1n
  const app = await startApp({ firstId, settings: { PETSTORE_DATABASE: from } })
  await app.api.createPet({ name: '\ufffd \u{10ffff} \u2028' })
  await app.close()

  await copy(from, to)

  const copied = await startApp({ settings: { PETSTORE_DATABASE: to } })
  const { text } = await copied.api.get('/v1/pets')
  assert.match(text, /^\[\{"id":4611686018427387905,"name":"\ufffd \u{10ffff} \u2028"/u)
})
