import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { defineWrite, type Write } from '../../src/db/db.ts'
import { connect } from '../../src/db/sqlite/connection.ts'
import { identifyDatabase } from '../../src/db/sqlite/serving/served-files.ts'
import { openWriter, type WriterStart, writerMoves } from '../../src/db/sqlite/serving/writer.ts'
import { impossibleMoves, unmadeMoves } from '../harness/moves.ts'

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

/** A writer of notes, how many are stored, and what keeps it from opening a connection. */
function startWriter(t: TestContext, state: WriterStart['state'] = 'open') {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-writer-'))
  const path = join(directory, 'notes.db')
  const connection = connect(path, 'create')
  connection.exec(
    'pragma journal_mode = wal; create table notes (id integer primary key autoincrement, code integer)',
  )
  writeFileSync(`${path}.lock`, '')
  const named = new Map([[insertNotes.name, insertNotes as Write<unknown, unknown>]])
  const writer = openWriter({ files: identifyDatabase(path), state }, { named, log: undefined })
  const reader = connect(path)
  t.after(() => {
    writer.close()
    connection.close()
    reader.close()
    rmSync(directory, { recursive: true })
  })
  return {
    run: async (...notes: number[]) => {
      const jobs = notes.map((input) => ({ name: insertNotes.name, input }))
      const [result = assert.fail()] = await writer.run([jobs])
      return result
    },
    stored: () => connection.all('select 1 from notes').length,
    /** From now on the log cannot be emptied. */
    holdLog: () => reader.exec('begin; select 1 from notes'),
    freeLog: () => reader.exec('rollback'),
    /** From now on the log cannot be read. */
    breakLog() {
      renameSync(`${path}-wal`, `${path}-away`)
      mkdirSync(`${path}-wal`)
    },
    mendLog() {
      rmdirSync(`${path}-wal`)
      renameSync(`${path}-away`, `${path}-wal`)
    },
    removeLock: () => rmSync(`${path}.lock`),
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

/** Notes that fail as an input by themselves, with the code of SQLite. */
const notes: Record<string, number> = { good: 0, io: 10, full: 13 }

const unmade = unmadeMoves(writerMoves)

/** What happens to a writer, from its first state on: obstacles, and batches of notes with their ends. */
const histories = [
  'open holdLog full=refused good=stored full+good=refused good+full=unknown good=stored',
  'open io=unknown good=stored io=unknown io=unknown good=stored',
  'open io=unknown io=unknown io=lost good=refused good=refused',
  'open removeLock good=lost good=refused',
  'open io=unknown breakLog good=unknown mendLog good=stored',
  'open io=unknown removeLock good=lost good=refused',
  'closed holdLog good=refused freeLog good=stored',
  'closed breakLog good=unknown good=unknown good=lost good=refused',
]

for (const history of histories) {
  it(`the states of a writer: ${history}`, async (t) => {
    const [state, ...steps] = history.split(' ') as [WriterStart['state'], ...string[]]
    const { run, stored, ...obstacles } = startWriter(t, state)

    for (const step of steps) {
      if (step in obstacles) obstacles[step as keyof typeof obstacles]()
      const [batch = '', end] = step.split('=')
      if (end === undefined) continue
      const before = stored()
      const result = await run(...batch.split('+').map((note) => notes[note] ?? assert.fail()))
      assert.equal('result' in result ? result.result : 'stored', end, step)
      if (end === 'stored') assert.equal(stored(), before + 1)
      if (end === 'refused') assert.equal(stored(), before)
    }
  })
}

it('the tests above have made every move of a writer; any other is a defect', () => {
  assert.deepEqual(unmade, new Set())
  assert.deepEqual(impossibleMoves(writerMoves), {
    open: 'opened',
    closed: 'stored',
    lost: 'stored unknown lost opened',
  })
})
