import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { refuse, type Transaction } from '../seam.ts'
import { commitTogether, type Job } from './commit.ts'
import { connect, inMemory } from './connection.ts'

type Note = { text: string; fate?: 'refused' | 'broken' }

/** Stores what it is given first; what is refused or broken must not leave that behind. */
function noting(name: string, together: boolean): Transaction<Note, string> {
  return {
    name,
    together,
    async run(sql, notes) {
      for (const { text } of notes) await sql.all('insert into notes (text) values (?1)', [text])
      if (notes.some(({ fate }) => fate === 'broken')) throw new Error('It broke.')
      return notes.map(({ text, fate }) =>
        fate === 'refused' ? refuse('insufficient_stock', text) : { value: text },
      )
    },
  }
}

const transactions = new Map(
  [noting('together', true), noting('alone', false)].map((one) => [
    one.name,
    one as Transaction<unknown, unknown>,
  ]),
)

async function commit(t: TestContext, jobs: readonly Job[]) {
  const connection = connect(inMemory)
  t.after(() => connection.close())
  connection.exec('create table notes (text text)')
  const answers = await commitTogether(connection, transactions, jobs)
  assert.equal(connection.isTransaction, false)
  const stored = connection.all<[string]>('select text from notes order by rowid')
  return { answers, stored: stored.map(([text]) => text) }
}

const job = (name: string, text: string, fate?: Note['fate']): Job => ({
  name,
  input: fate === undefined ? { text } : { text, fate },
})

describe('jobs that are committed together', () => {
  it('of one kind: one that breaks takes none of the others with it', async (t) => {
    const { answers, stored } = await commit(t, [
      job('together', 'a'),
      job('together', 'b', 'broken'),
      job('together', 'c'),
    ])

    assert.deepEqual(stored, ['a', 'c'])
    assert.deepEqual([answers[0], answers[2]], [{ value: 'a' }, { value: 'c' }])
    assert.match((answers[1] as { defect: string }).defect, /It broke/)
  })

  for (const fate of ['refused', 'broken'] as const) {
    it(`a single one that is ${fate} leaves nothing behind`, async (t) => {
      const { answers, stored } = await commit(t, [job('alone', 'a', fate)])

      assert.deepEqual(stored, [])
      assert.equal(answers.length, 1)
      assert.ok(!('value' in (answers[0] ?? {})))
    })

    it(`of several kinds: one that is ${fate} leaves what its neighbours did`, async (t) => {
      const { answers, stored } = await commit(t, [
        job('alone', 'a'),
        job('alone', 'b', fate),
        job('together', 'c'),
      ])

      assert.deepEqual(stored, ['a', 'c'])
      assert.deepEqual([answers[0], answers[2]], [{ value: 'a' }, { value: 'c' }])
      assert.ok(!('value' in (answers[1] ?? {})))
    })
  }
})
