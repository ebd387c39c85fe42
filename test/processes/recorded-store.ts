import { writeSync } from 'node:fs'
import { storage } from '../../src/app/storage.ts'
import { openInlineSqlite } from '../../src/db/sqlite/serving/db.ts'
import { insertEnvironment } from '../../src/features/environment/queries.ts'
import { insertPets } from '../../src/features/pets/queries.ts'
import { serveStore } from '../harness/crashed-store.ts'

// The lives of a store, for `record-writes.ts`: it is served, read by a command meanwhile, and stopped. Prints how many pets were
// acknowledged.
const path = process.argv[2] ?? ''
const lives = 3
const pets = 12

let acknowledged = 0
for (let life = 0; life < lives; life++) {
  const db = await serveStore(path)
  if (life === 0) await db.write(insertEnvironment, 'production')
  for (let pet = 0; pet < pets; pet++) {
    const batch = Array.from({ length: 1 + (pet % 3) }, () =>
      db.write(insertPets, { name: 'x'.repeat(pet * 50 + 1), categoryId: 7n }),
    )
    await Promise.all(batch)
    acknowledged += batch.length
    writeSync(1, `${acknowledged}\n`)
    if (pet === pets / 2) await readBeside()
  }
  await db.close()
}

async function readBeside() {
  const options = { path, storage, storageUrl: '', warn: () => undefined, onLost: () => undefined }
  await (await openInlineSqlite({ ...options, outdated: 'refused' })).close()
}
