import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { defineWrite, oneByOne, type Sql, type Write } from '../../db.ts'
import { Refusal } from '../../errors.ts'
import { connect, inMemory } from '../connection.ts'
import { commitBatch, type NamedJob } from './commit.ts'

type Note = { text: string; fate?: 'refused' | 'broken' }

/** Stores its input first; a job that is refused or throws must not leave that behind. */
async function insertNote(sql: Sql, { text, fate }: Note): Promise<string> {
  await sql.all('insert into notes (text) values (?1)', [text])
  if (fate === 'broken') throw new Error('It broke.')
  if (fate === 'refused') throw new Refusal('insufficient_stock', text)
  return text
}

const named = new Map<string, Write<unknown, unknown>>([
  ['alone', oneByOne({ name: 'alone', run: insertNote })],
  [
    'batched',
    defineWrite({
      name: 'batched',
      run: (tx, notes: readonly Note[]) =>
        Promise.all(notes.map(async (note) => ({ value: await insertNote(tx, note) }))),
    }),
  ],
])

async function commit(t: TestContext, jobs: readonly NamedJob[]) {
  const connection = connect(inMemory)
  t.after(() => connection.close())
  connection.exec('create table notes (text text)')
  const { settled: answers } = await commitBatch(connection, { named, log: undefined }, jobs)
  assert.equal(connection.isTransaction, false)
  const stored = connection.all<[string]>('select text from notes order by rowid')
  return { answers, stored: stored.map(([text]) => text) }
}

const job = (name: string, text: string, fate?: Note['fate']): NamedJob => ({
  name,
  input: fate === undefined ? { text } : { text, fate },
})

const performed = (value: string) => ({ value })

describe('jobs that are committed together', () => {
  for (const fate of ['refused', 'broken'] as const) {
    it(`one batch: a job that is ${fate} rolls back no other job`, async (t) => {
      const { answers, stored } = await commit(t, [
        job('batched', 'a'),
        job('batched', 'b', fate),
        job('batched', 'c'),
      ])

      assert.deepEqual(stored, ['a', 'c'])
      assert.deepEqual([answers[0], answers[2]], [performed('a'), performed('c')])
      assert.match(JSON.stringify(answers[1]), fate === 'broken' ? /It broke/ : /"refusal"/)
    })

    it(`a single job that is ${fate} leaves nothing behind`, async (t) => {
      const { answers, stored } = await commit(t, [job('alone', 'a', fate)])

      assert.deepEqual(stored, [])
      assert.equal(answers.length, 1)
      assert.ok(!('value' in (answers[0] ?? {})))
    })

    it(`several kinds of jobs: one that is ${fate} leaves the work of the others`, async (t) => {
      const { answers, stored } = await commit(t, [
        job('alone', 'a'),
        job('alone', 'b', fate),
        job('batched', 'c'),
      ])

      assert.deepEqual(stored, ['a', 'c'])
      assert.deepEqual([answers[0], answers[2]], [performed('a'), performed('c')])
      assert.ok(!('value' in (answers[1] ?? {})))
    })
  }
})
