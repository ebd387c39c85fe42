import assert from 'node:assert/strict'
import { it } from 'node:test'
import pg from 'pg'
import { UnconfirmedCommit } from './failures.ts'
import { begin, sqlOn } from './sql.ts'

/** A connection on which a command fails. */
function failingAt(failing: string) {
  const client = {
    async query({ text }: { text: string }) {
      if (text === failing) throw new pg.DatabaseError('canceled', 1, 'error')
      return { rows: [], command: text === 'commit' ? 'ROLLBACK' : 'INSERT' }
    },
    on: () => client,
    off: () => client,
  }
  return client as unknown as pg.ClientBase
}

it('the outcome is unknown where a statement was run whose begin had failed: it committed by itself', async () => {
  const sql = sqlOn(failingAt(begin))

  await assert.rejects(sql.send('insert into pets default values', [], [begin]), UnconfirmedCommit)
})

it('a failed statement is what a transaction fails with, whose commit was sent behind it', async () => {
  const statement = 'insert into orders default values'
  const sql = sqlOn(failingAt(statement))

  let undone = 0
  const send = () => sql.send(statement, [], [], () => undone++)
  await assert.rejects(sql.confirmed(send), pg.DatabaseError)
  assert.equal(undone, 1)
})
