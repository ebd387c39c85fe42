import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { loadMigrations } from '../db/migrate.ts'
import type { Table } from '../db/storage.ts'
import { storage } from './storage.ts'

const types = { integer: 'int64', text: 'text', blob: 'bytes' } as const

/** The tables that the migrations make, in the form of declarations. */
function migratedTables(): Pick<Table, 'name' | 'key' | 'columns'>[] {
  const database = new DatabaseSync(':memory:')
  for (const { sql } of loadMigrations('sqlite')) database.exec(sql)
  const names = database
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
    .all()
  return names.map(({ name }) => {
    const columns = database.prepare(`select * from pragma_table_xinfo('${name}')`).all()
    const keyed = columns.filter(({ pk }) => Number(pk) > 0)
    return {
      name: String(name),
      key: keyed.sort((a, b) => Number(a.pk) - Number(b.pk)).map((column) => String(column.name)),
      columns: Object.fromEntries(
        columns.map(({ name: column, type, notnull, pk, hidden }) => {
          const isGenerated = Number(hidden) > 1
          return [
            String(column),
            {
              type: types[String(type).toLowerCase() as keyof typeof types],
              ...(Number(notnull) || Number(pk) || column === 'record' ? {} : { isNullable: true }),
              ...(isGenerated ? { isGenerated: true } : {}),
            },
          ]
        }),
      ) as Table['columns'],
    }
  })
}

it('the declared tables equal those that the migrations make, column by column', () => {
  const declared = storage.tables.map(({ name, key, columns }) => ({
    name,
    key,
    columns: Object.fromEntries(
      Object.entries(columns).map(([column, { type, isNullable, isGenerated }]) => [
        column,
        { type, ...(isNullable ? { isNullable } : {}), ...(isGenerated ? { isGenerated } : {}) },
      ]),
    ),
  }))
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)

  assert.deepEqual(declared.sort(byName), migratedTables().sort(byName))
})

it('no two writes, and no two scans, share a name', () => {
  for (const list of [storage.writes, storage.scans]) {
    const names = list.map(({ name }) => name)
    assert.deepEqual(names, [...new Set(names)])
  }
})
