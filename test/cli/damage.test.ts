import { spawnSync } from 'node:child_process'
import { mkdirSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { isFull, itInFull } from '../harness/extent.ts'
import { expectRefusal, makeStore } from '../harness/refusal.ts'
import { aDirectory } from '../processes/command.ts'

const damaged = { reason: 'damaged', message: /is damaged or is not a SQLite database: / } as const
const newer = {
  reason: 'newerSchema',
  message: /was made by a newer version of this program \(9999_later\)\. Nothing was changed/,
} as const
const fromLater = "insert into migrations (name) values ('9999_later')"

it('65 damaged: the database is a text file', async (t) => {
  const directory = aDirectory(t)
  writeFileSync(join(directory, 'petstore.db'), 'Dear diary, '.repeat(1000))
  await expectRefusal(directory, { ...damaged, process: isFull })
})

itInFull('65 damaged: the database is a directory', async (t) => {
  const directory = aDirectory(t)
  mkdirSync(join(directory, 'petstore.db'))
  await expectRefusal(directory, { reason: 'damaged', message: /is not a file\.$/ })
})

it('65 damaged: a truncated database', async (t) => {
  const directory = aDirectory(t)
  const path = await makeStore(directory)
  truncateSync(path, statSync(path).size / 2)
  await expectRefusal(directory, damaged)
})

it('65 damaged: a SQLite database of another program', async (t) => {
  const directory = aDirectory(t)
  const database = new DatabaseSync(join(directory, 'petstore.db'))
  database.exec('create table pets (id integer primary key)')
  database.close()
  await expectRefusal(directory, {
    reason: 'damaged',
    message: /is a SQLite database of another program\. Nothing was changed\.$/,
  })
})

it('76 newerSchema: a database that a newer version has migrated', async (t) => {
  const directory = aDirectory(t)
  const database = new DatabaseSync(await makeStore(directory))
  database.exec(fromLater)
  database.close()
  await expectRefusal(directory, newer)
})

itInFull('76 newerSchema: the same after a kill; the write-ahead log is not touched', async (t) => {
  const directory = aDirectory(t)
  const path = await makeStore(directory)
  const write = `
    const { DatabaseSync } = require('node:sqlite')
    new DatabaseSync(${JSON.stringify(path)}).exec(${JSON.stringify(fromLater)})
    process.kill(process.pid, 'SIGKILL')`
  spawnSync(process.execPath, ['-e', write])
  await expectRefusal(directory, { ...newer, process: true })
})
