import assert from 'node:assert/strict'
import { openSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { itAudits } from '../support/audits.ts'
import { soldOnSqlite } from '../support/sold-on-sqlite.ts'
import { findingsOf, verify } from '../support/verify.ts'

itAudits({
  soldStore: soldOnSqlite,
  forgetIds: (table) =>
    table === 'pets'
      ? `delete from sqlite_sequence where name = 'pets'`
      : `update sqlite_sequence set seq = 1 where name = '${table}'`,
  brokenRule: [['files', null]],
})

it('79 finding: a file whose pages do not fit together is never written to, whatever else is wrong', async (t) => {
  const store = await soldOnSqlite(t)
  await store.damage('update pets set reserved = 1 where id = 2')
  await store.damage(
    'pragma writable_schema = on',
    `delete from sqlite_schema where name = 'orders_pet'`,
  )

  const { code, audit, stderr } = await verify(store, '--repair', '--yes')

  assert.deepEqual([code, audit.found], [79, undefined], stderr)
  assert.deepEqual(findingsOf(audit.checks), [
    ['files', null],
    ['stock', 'pets 2'],
  ])
  const [files, stock] = audit.checks
  assert.match(
    files?.findings[0]?.message ?? '',
    /^The file is damaged, restore a backup: .*\bPage \d+: never used\.$/,
  )
  assert.equal(stock?.findings[0]?.repair, null)
  assert.deepEqual(await store.rows('select reserved from pets where id = 2'), ['1'])
})

it('79 finding: a table that cannot be read is told of, and the rest is looked at', async (t) => {
  const store = await soldOnSqlite(t)
  await store.damage(`update categories set name_key = 'hounds' where id = 1`)
  using database = new DatabaseSync(store.path)
  const { page } = database
    .prepare(`select rootpage as page from sqlite_schema where name = 'orders'`)
    .get() as { page: number }
  database.close()
  writeSync(openSync(store.path, 'r+'), Buffer.alloc(4096, 0x5a), 0, 4096, (page - 1) * 4096)

  const { code, audit } = await verify(store)

  assert.equal(code, 79)
  const found = findingsOf(audit.checks)
  for (const check of ['files', 'openOrders', 'orders', 'nameKeys']) {
    assert.ok(
      found.some(([name]) => name === check),
      JSON.stringify(found),
    )
  }
  const [unread] = audit.checks.find(({ name }) => name === 'orders')?.findings ?? []
  assert.match(unread?.message ?? '', /^This could not be looked at: .*petstore\.db is damaged/)
  assert.ok(audit.checks.every(({ findings }) => findings.every(({ repair }) => repair === null)))
})

it('79 finding: a row that refers to none is for a person to decide', async (t) => {
  const store = await soldOnSqlite(t)
  await store.damage(
    'create table tags (pet_id integer references pets (id))',
    'insert into tags values (4), (3)',
  )

  const { code, audit } = await verify(store)

  assert.deepEqual([code, findingsOf(audit.checks)], [79, [['files', null]]])
  assert.equal(
    audit.checks[0]?.findings[0]?.message,
    'The database says: row 2 of tags refers to a row of pets that is not there.',
  )
})
