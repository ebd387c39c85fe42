import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it } from 'node:test'
import { aDirectory } from '../../../../test/processes/command.ts'
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
  const db = await openServedSqlite({ path: join(aDirectory(t), 'pets.db'), ...options })
  const unclonable = { ...newPet, name: (() => 'Rex') as unknown as string }

  const refused = await db.write(insertPets, unclonable).catch((error) => error)
  const [pet, next] = [await db.write(insertPets, newPet), await db.write(insertPets, newPet)]
  await db.close()

  assert.equal(refused.name, 'DataCloneError')
  assert.deepEqual([pet, next], [1n, 2n])
})

it('writes on a thread that has ended have an unknown outcome', async (t) => {
  const ending = `{ name: '${insertPets.name}', run() { process.exit() } }`
  const storageUrl = `data:text/javascript,export const storage = { writes: [${ending}] }`
  const path = join(aDirectory(t), 'pets.db')
  const db = await openServedSqlite({ path, ...options, storageUrl, onLost() {} })
  const unknown = { name: 'Unavailable', message: /it is stored or it is not/ }

  for (let n = 0; n < 2; n++) await assert.rejects(db.write(insertPets, newPet), unknown)
  await db.close()
})

it('the option for the first id applies to records of clients, not to keys', async () => {
  const firstId = 9_007_199_254_740_993n
  const db = await openSqliteInMemory({ ...options, firstId })

  const createdAt = '2027-01-01T00:00:00.000Z'
  const key = { name: 'test', hint: '', digest: new Uint8Array(32), scopes: [], createdAt }
  assert.equal((await db.write(insertKey, { row: key, caller: undefined, now: 0 }))?.id, 1n)
  assert.equal(await db.write(insertPets, newPet), firstId)
  await db.close()
})
