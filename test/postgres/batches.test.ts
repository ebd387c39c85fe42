import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defineWrite } from '../../src/db/db.ts'
import { anyPostgres } from '../processes/postgres.ts'
import { openStore } from '../processes/postgres-store.ts'

/** Writes each text as a category, one statement after the other; the text `broken` then makes the batch fail. */
const insertTexts = defineWrite<string, null>({
  name: 'insertTexts',
  async run(sql, texts) {
    for (const text of texts) {
      const columns = 'name, name_key, canonical_name'
      await sql.all(`insert into categories (${columns}) values (?1, ?1, ?1)`, [text])
    }
    if (texts.includes('broken')) throw new Error('It broke.')
    return texts.map(() => ({ value: null }))
  },
})

describe('a batch of several statements on PostgreSQL', () => {
  it('fails for the input that breaks it alone', async (t) => {
    const server = await anyPostgres()
    const address = await server.createDatabase()
    const db = await openStore(address)
    t.after(async () => {
      await db.close()
      await server.dropDatabase(address)
      await server.stop()
    })
    const name = new URL(address).pathname.slice(1)
    const stored = async () =>
      (await server.query('select name from categories order by id', name)).rows.map(
        (row) => row.name,
      )

    await Promise.all(['a', 'b'].map((text) => db.write(insertTexts, text)))
    const failing = db.write(insertTexts, 'broken')
    const others = ['c', 'd'].map((text) => db.write(insertTexts, text))

    await assert.rejects(failing, /It broke/)
    await Promise.all(others)
    assert.deepEqual((await stored()).sort(), ['a', 'b', 'c', 'd'])
    await db.write(insertTexts, 'e')
    assert.deepEqual((await stored()).sort(), ['a', 'b', 'c', 'd', 'e'])
  })
})
