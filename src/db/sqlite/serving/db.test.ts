import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { storage } from '../../../app/storage.ts'
import { insertEnvironment } from '../../../features/environment/queries.ts'
import { selectAfter } from '../../../features/events/queries.ts'
import { insertKey } from '../../../features/keys/create-key.ts'
import { insertPets, petsList } from '../../../features/pets/queries.ts'
import { openServedSqlite, openSqliteInMemory } from './db.ts'

const options = {
  storage,
  storageUrl: new URL('../../../app/storage.ts', import.meta.url).href,
  warn: (sentence: string) => assert.fail(sentence),
  onLost: (reason: string) => assert.fail(reason),
}
const newPet = { name: 'Rex', categoryId: 7n }

function aPath(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-sqlite-'))
  t.after(() => rmSync(directory, { recursive: true }))
  return join(directory, 'pets.db')
}

it('in memory, concurrent scans and transactions do not mix', async () => {
  const db = await openSqliteInMemory({ ...options })

  const [first, , second] = await Promise.all([
    db.write(insertPets, newPet),
    db.scan(petsList.count, {}),
    db.write(insertPets, newPet),
    db.scan(petsList.count, {}),
  ])

  assert.deepEqual([first.id, second.id], [1n, 2n])
  assert.equal(await db.scan(petsList.count, {}), 2)
  await db.close()
})

it('batches that are committed together each get their own results', async (t) => {
  const db = await openServedSqlite({ path: aPath(t), ...options })
  const names = Array.from({ length: 500 }, (_, index) => `Rex ${index}`)

  const pets = await Promise.all(names.map((name) => db.write(insertPets, { ...newPet, name })))
  await db.close()

  assert.deepEqual(
    pets.map(({ name }) => name),
    names,
  )
  assert.deepEqual(
    pets.map(({ id }) => id),
    names.map((_, index) => BigInt(index + 1)),
  )
})

it('a write that cannot be sent to the writer fails alone: the next one gets its own result', async (t) => {
  const db = await openServedSqlite({ path: aPath(t), ...options })
  const unclonable = { ...newPet, name: (() => 'Rex') as unknown as string }

  const refused = await db.write(insertPets, unclonable).catch((error) => error)
  const [pet, next] = [await db.write(insertPets, newPet), await db.write(insertPets, newPet)]
  await db.close()

  assert.equal(refused.name, 'DataCloneError')
  assert.deepEqual([pet.id, next.id], [1n, 2n])
})

it('a write is stored and resolves although observers of its commit throw: they are a warning', async (t) => {
  const warnings: string[] = []
  const broken = () => {
    throw new Error('Broken.')
  }
  const db = await openServedSqlite({
    ...{ path: aPath(t), ...options, onCommit: { reported: broken, committed: broken } },
    warn: (sentence) => warnings.push(sentence),
  })

  const pet = await db.write(insertPets, newPet)
  await db.close()

  assert.equal(pet.id, 1n)
  const warning = 'An observer of commits failed: Broken.'
  assert.deepEqual(warnings, [warning, warning])
})

it('an event has all of the origin of its write: the key, the time, the request and its span', async (t) => {
  const db = await openServedSqlite({ path: aPath(t), ...options })
  const traceparent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`
  const actor = { type: 'key', name: 'till', keyId: 7n } as const

  await db.write(insertPets, newPet, { actor, now: 5_000, requestId: 'request-1', traceparent })
  const found = await db.read(selectAfter, { after: 0n, limit: 1 })
  await db.close()

  assert.ok('events' in found)
  const [event] = found.events
  assert.equal(event?.traceparent, traceparent)
  assert.match(
    String(event?.text),
    /"createdAt":"1970-01-01T00:00:05.000Z".*"actor":\{"type":"key","name":"till","keyId":7\},"requestId":"request-1"/,
  )
})

it('the option for the first id applies to records of clients, not to keys', async () => {
  const firstId = 9_007_199_254_740_993n
  const db = await openSqliteInMemory({ ...options, firstId })

  const key = {
    name: 'test',
    hint: '',
    digest: new Uint8Array(32),
    grants: [],
    createdAt: 0,
    createdBy: undefined,
    expiresAt: undefined,
  }
  assert.equal((await db.write(insertKey, { row: key, caller: undefined, now: 0 })).id, 1n)
  assert.equal((await db.write(insertPets, newPet)).id, firstId)
  await db.close()
})

it('a database belongs to the environment that claimed it first', async (t) => {
  const path = aPath(t)
  const db = await openServedSqlite({ path, ...options })

  assert.equal(await db.write(insertEnvironment, 'staging'), 'staging')
  assert.equal(await db.write(insertEnvironment, 'production'), 'staging')

  await db.close()
})

it('a missing directory is not created', async (t) => {
  const path = join(aPath(t), '../mistyped/pets.db')

  const opened = openServedSqlite({ path, ...options })

  // Closes what should not have opened: an open database keeps the process alive.
  await assert.rejects(
    opened.then((db) => db.close()),
    { reason: 'missingDirectory' },
  )
  assert.ok(!existsSync(dirname(path)))
})
