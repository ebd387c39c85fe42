import assert from 'node:assert/strict'
import { it } from 'node:test'
import { tablesAt } from '../db/doors/tables-at.ts'
import { openReference } from '../db/sqlite/migrate.ts'
import { storage } from './storage.ts'

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)

it('the declared tables are those that the migrations make, and assign ids where these do', () => {
  using reference = openReference()
  const assigning = reference
    .all<[string]>("select name from sqlite_schema where sql like '%autoincrement%'")
    .map(([name]) => name)
  const migrated = tablesAt(storage).map(({ name }) => ({
    name,
    assignsIds: assigning.includes(name),
  }))
  const declared = storage.tables.map(({ name, assignsIds = false }) => ({ name, assignsIds }))

  assert.deepEqual(declared.sort(byName), migrated)
})

it('as many first rows are declared as the migrations insert, with all columns', () => {
  using reference = openReference()
  for (const { name, columns, firstRows = [] } of tablesAt(storage)) {
    const [row] = reference.all(`select count(*) from ${name}`)

    assert.deepEqual(row, [BigInt(firstRows.length)], name)
    for (const first of firstRows)
      assert.deepEqual(
        Object.keys(first),
        columns.map((column) => column.name),
      )
  }
})

it('texts of clients, and computed columns with their sources, are columns', () => {
  for (const { name, columns, texts = {}, computed = {} } of tablesAt(storage)) {
    const sources = Object.values(computed).map(({ from }) => from)
    const named = [...Object.keys(texts), ...Object.keys(computed), ...sources]
    const known = columns.map((column) => column.name)

    assert.deepEqual(
      named.filter((column) => !known.includes(column)),
      [],
      name,
    )
  }
})

it('no two writes, and no two scans, share a name', () => {
  for (const list of [storage.writes, storage.scans]) {
    const names = list.map(({ name }) => name)
    assert.deepEqual(names, [...new Set(names)])
  }
})
