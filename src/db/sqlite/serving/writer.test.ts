import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { defineWrite, type Write } from '../../db.ts'
import { connect } from '../connection.ts'
import { identifyDatabase } from './served-files.ts'
import { openWriter } from './writer.ts'

/** Fails as SQLite does: a batch by a damaged page, and alone the inputs that are the code of a failure. */
const insertNotes = defineWrite<number, number>({
  name: 'insertNotes',
  async run(tx, notes) {
    const [errcode = 0] = notes.length > 1 ? [11] : notes
    if (errcode > 0) throw Object.assign(new Error(`code ${errcode}`), { errcode })
    await tx.all('insert into notes (code) values (?1)', [errcode])
    return notes.map((value) => ({ value }))
  },
})

/** A writer of notes, and how many are stored. */
function startWriter(t: TestContext) {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-writer-'))
  const path = join(directory, 'notes.db')
  const connection = connect(path, 'create')
  connection.exec(
    'pragma journal_mode = wal; create table notes (id integer primary key autoincrement, code integer)',
  )
  writeFileSync(`${path}.lock`, '')
  const named = new Map([[insertNotes.name, insertNotes as Write<unknown, unknown>]])
  const start = { files: identifyDatabase(path), isBehind: false }
  const writer = openWriter(start, { named, log: undefined })
  t.after(() => {
    writer.close()
    connection.close()
    rmSync(directory, { recursive: true })
  })
  return {
    run: async (...notes: number[]) => {
      const jobs = notes.map((input) => ({ name: insertNotes.name, input }))
      const [result = assert.fail()] = await writer.run([jobs])
      return result
    },
    stored: () => connection.all('select 1 from notes').length,
  }
}

it('a batch that met a damaged page is one commit of what is stored of it, as long as theirs', async (t) => {
  const { run, stored } = startWriter(t)

  const result = await run(0, 11, 0)

  assert.ok('settled' in result)
  assert.match(
    JSON.stringify(result.settled),
    /^\[{"value":0},{"defect":".*damaged.*"},{"value":0}\]$/,
  )
  assert.equal(result.commit.inputs, 2)
  assert.ok(result.commit.commitMs > 0)
  assert.equal(stored(), 2)
})

it('a batch that met a damaged page, and then a full disk, is unknown where some of it is stored', async (t) => {
  const { run, stored } = startWriter(t)

  assert.deepEqual(await run(13, 0), { result: 'refused', reason: 'code 13' })
  assert.equal(stored(), 0)
  assert.deepEqual(await run(0, 13), { result: 'unknown', reason: 'code 13' })
  assert.equal(stored(), 1)
})
