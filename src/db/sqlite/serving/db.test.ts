import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { storage } from '../../../app/storage.ts'
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

  assert.deepEqual([first, second], [1n, 2n])
  assert.equal(await db.scan(petsList.count, {}), 2)
  await db.close()
})

it('a write that cannot be sent to the writer fails alone: the next one gets its own result', async (t) => {
  const db = await openServedSqlite({ path: aPath(t), ...options })
  const unclonable = { ...newPet, name: (() => 'Rex') as unknown as string }

  const refused = await db.write(insertPets, unclonable).catch((error) => error)
  const [pet, next] = [await db.write(insertPets, newPet), await db.write(insertPets, newPet)]
  await db.close()

  assert.equal(refused.name, 'DataCloneError')
  assert.deepEqual([pet, next], [1n, 2n])
})

it('the option for the first id applies to records of clients, not to keys', async () => {
  const firstId = 9_007_199_254_740_993n
  const db = await openSqliteInMemory({ ...options, firstId })

  const key = {
    name: 'test',
    hint: '',
    digest: new Uint8Array(32),
    scopes: [],
    createdAt: '2027-01-01T00:00:00.000Z',
  }
  assert.equal((await db.write(insertKey, { row: key, caller: undefined, now: 0 })).id, 1n)
  assert.equal(await db.write(insertPets, newPet), firstId)
  await db.close()
})
