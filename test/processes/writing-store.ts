import { writeSync } from 'node:fs'
import { storage } from '../../src/app/storage.ts'
import { connect } from '../../src/db/sqlite/connection.ts'
import { enterDatabase } from '../../src/db/sqlite/locking/lock.ts'
import { writesOf } from '../../src/db/sqlite/serving/commit.ts'
import { identifyDatabase } from '../../src/db/sqlite/serving/served-files.ts'
import { completeCheckpoint, openWriter } from '../../src/db/sqlite/serving/writer.ts'
import { insertPets } from '../../src/features/pets/queries.ts'

// A service without HTTP: it starts as one does, creates pets without end, and prints how many were acknowledged.
const path = process.argv[2] ?? ''
enterDatabase(path, 'serve')
const connection = connect(path)
completeCheckpoint(connection)
const writer = openWriter({ files: identifyDatabase(path), isBehind: false }, writesOf(storage))
let acknowledged = 0
for (;;) {
  const jobs = Array.from({ length: 1 + (acknowledged % 7) }, () => ({
    name: insertPets.name,
    input: { name: 'Rex', categoryId: 7n },
  }))
  const [result] = await writer.run([jobs])
  if (!result || !('settled' in result)) throw new Error(JSON.stringify(result))
  acknowledged += jobs.length
  writeSync(1, `${acknowledged}\n`)
}
