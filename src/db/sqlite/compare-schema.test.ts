import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { cases } from '../../../test/harness/extent.ts'
import { aDirectory } from '../../../test/processes/command.ts'
import { storage } from '../../app/storage.ts'
import { describeDifferences, type SchemaDifference } from '../schema/schema-difference.ts'
import { compareSchema } from './compare-schema.ts'
import { type Connection, connect, inMemory } from './connection.ts'
import { migrate, migrateInMemory, tablesIn } from './migrate.ts'

const stores = new URL('../../../test/upgrades/stores/sqlite/', import.meta.url)
const migrated = readdirSync(stores).filter((name) => /^\d{4}_.*\.db\.gz$/.test(name))

describe('compareSchema', () => {
  for (const name of cases(migrated, { quickEvery: 12 })) {
    it(`finds no difference in the store of ${name}, before and after its upgrade`, async (t) => {
      const path = unpack(t, name)
      const before = connect(path)
      assert.deepEqual(compareSchema(before, { last: name.replace('.db.gz', '') }), [])
      await migrate(before, path, { storage })
      assert.deepEqual(compareSchema(before), [])
      before.close()
    })
  }

  it('finds no difference in the copy of an empty store in memory, which has its rows too', async () => {
    const rowsOf = (store: Connection) =>
      tablesIn(store)
        .sort()
        .map((table) => [table, store.all(`select * from ${table}`)])
    const [made, first, copy] = [connect(inMemory), connect(inMemory), connect(inMemory)]

    await migrate(made, inMemory, { storage })
    await migrateInMemory(first, { storage })
    await migrateInMemory(copy, { storage })

    assert.deepEqual(compareSchema(copy), [])
    assert.deepEqual(rowsOf(copy), rowsOf(made))
  })

  const edits: [title: string, sql: string, expected: SchemaDifference[]][] = [
    [
      'a trigger, also one with the name of a table',
      'create trigger pets after insert on pets begin delete from orders; end',
      [{ kind: 'foreign', type: 'trigger', name: 'pets' }],
    ],
    [
      'a table and its index',
      'create table extra (name text unique)',
      [
        { kind: 'foreign', type: 'table', name: 'extra' },
        { kind: 'foreign', type: 'index', name: 'sqlite_autoindex_extra_1' },
      ],
    ],
    [
      'a missing index',
      'drop index pets_status',
      [{ kind: 'missing', type: 'index', name: 'pets_status' }],
    ],
    [
      'a missing constraint',
      edited('orders', 'check (quantity between 1 and 1000000)', ''),
      [{ kind: 'changed', type: 'table', name: 'orders' }],
    ],
    [
      'a constraint that became a comment',
      edited('orders', 'check (quantity between 1 and 1000000)', `-- check (quantity\n`),
      [{ kind: 'changed', type: 'table', name: 'orders' }],
    ],
    [
      'no other comment',
      edited('orders', 'quantity integer', 'quantity -- of pets\n  integer'),
      [],
    ],
    ['no statistics', 'analyze', []],
  ]
  for (const [title, sql, expected] of edits) {
    it(`finds ${title}`, (t) => {
      const path = unpack(t, migrated.at(-1) ?? '')
      const edit = new DatabaseSync(path, { defensive: false })
      edit.exec(sql)
      edit.close()
      const connection = connect(path)
      assert.deepEqual(compareSchema(connection), expected)
      connection.close()
    })
  }

  it('describes differences in one line, whatever the names', () => {
    const names = ['\u001b[2Jt', 'x'.repeat(1_000), 'a', 'b', 'c', 'd', 'e']
    const text = describeDifferences(
      names.map((name) => ({ kind: 'foreign', type: 'table', name })),
    )
    assert.match(text, /^the table \?\[2Jt is foreign; .*; 2 more differ$/)
    assert.ok(text.length < 400)
  })
})

function edited(table: string, from: string, to: string): string {
  const quote = (text: string) => `'${text.replaceAll("'", "''")}'`
  return `pragma writable_schema = on;
    update sqlite_schema set sql = replace(sql, ${quote(from)}, ${quote(to)}) where name = '${table}'`
}

function unpack(t: TestContext, name: string): string {
  const path = join(aDirectory(t), 'petstore.db')
  writeFileSync(path, gunzipSync(readFileSync(new URL(name, stores))))
  return path
}
