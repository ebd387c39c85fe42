import assert from 'node:assert/strict'
import { constants, DatabaseSync, type StatementSync } from 'node:sqlite'
import { it } from 'node:test'
import type { Parameter, Row, Sql } from '../db.ts'
import { selectPage } from './select-page.ts'

/** A database that counts how often SQLite calls the authorizer: once each time a statement is planned. */
function countingDatabase() {
  const database = new DatabaseSync(':memory:', { returnArrays: true })
  const prepared = new Map<string, StatementSync>()
  let planned = 0
  database.exec('create table pets (id integer primary key, kind text)')
  database.setAuthorizer((action) => {
    if (action === constants.SQLITE_SELECT) planned += 1
    return constants.SQLITE_OK
  })
  const all = (text: string, parameters: readonly Parameter[] = []) => {
    const statement = prepared.get(text) ?? database.prepare(text)
    prepared.set(text, statement)
    return statement.all(...(parameters as string[])) as unknown as Row[]
  }
  return { sql: { all } as unknown as Sql, planned: () => planned }
}

it('pages with another size, filter value or cursor reuse the prepared statement', async () => {
  const { sql, planned } = countingDatabase()
  const source = { table: 'pets', columns: 'id' }
  const read = (kind: string, limit: number, after: bigint) =>
    selectPage(sql, source, [{ column: 'kind', equals: kind }], { limit, after, sort: 'id' })

  await read('cat', 20, 1n)
  assert.equal(planned(), 1)
  for (const limit of [1, 20, 100]) await read('dog', limit, BigInt(limit))

  assert.equal(planned(), 1)
})
