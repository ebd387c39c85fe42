import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { aDirectory } from '../../../test/processes/command.ts'
import { loadMigrations } from '../schema/migrate.ts'
import { describeDifferences, type SchemaDifference } from '../schema/schema-difference.ts'
import { compareSchema } from './compare-schema.ts'
import { connect, inMemory } from './connection.ts'
import { migrate } from './migrate.ts'

describe('compareSchema', () => {
  it('finds no difference in a store that has the migrations up to one, nor after its upgrade', () => {
    const names = loadMigrations('sqlite').map(({ name }) => name)
    const last = names[names.length >> 1]
    const store = connect(inMemory)

    migrate(store, inMemory, { last })
    assert.deepEqual(compareSchema(store, { last }), [])
    assert.notDeepEqual(compareSchema(store), [])
    migrate(store, inMemory)
    assert.deepEqual(compareSchema(store), [])
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
      const path = join(aDirectory(t), 'petstore.db')
      const made = connect(path, 'create')
      migrate(made, path)
      made.close()
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
