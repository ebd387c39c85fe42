import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { demandShortLog, logMiB } from '../../bench/harness/server.ts'

const skip = process.platform === 'linux' ? false : 'needs Linux'
const here = { name: 'this', pid: process.pid }

it('the log of a database is told by the process that has it open', { skip }, (t) => {
  const own = mkdtempSync(join(tmpdir(), 'petstore-log-'))
  t.after(() => rmSync(own, { recursive: true }))
  const database = new DatabaseSync(join(own, 'pets.db'))
  database.exec(
    'pragma journal_mode = wal; pragma synchronous = off; pragma wal_autocheckpoint = 0',
  )
  database.exec('create table bytes (of blob)')
  const add = (mib: number) => database.exec(`insert into bytes values (zeroblob(${mib << 20}))`)

  add(20)
  const shortMiB = logMiB(process.pid)
  demandShortLog(here)
  add(60)
  assert.throws(() => demandShortLog(here), /^Error: The log of this has grown to \d\d MiB/)
  database.close()

  assert.ok(shortMiB >= 20 && shortMiB < 40, `${shortMiB} MiB`)
  assert.equal(logMiB(process.pid), 0)
})
