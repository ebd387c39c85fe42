import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { itInFull } from '../harness/extent.ts'
import { contentsOf, soldOnSqlite } from '../harness/sold-on-sqlite.ts'
import { findingsOf, messagesOf, verify } from '../harness/verify.ts'
import { petstoreInThread } from '../processes/command-thread.ts'

itInFull(
  '78 configuration: verify leaves the write-ahead log of an older store as it is after a kill',
  async (t) => {
    const store = await soldOnSqlite(t)
    const write = `
    const { DatabaseSync } = require('node:sqlite')
    new DatabaseSync(${JSON.stringify(store.path)}).exec("delete from migrations where name > '0010'")
    process.kill(process.pid, 'SIGKILL')`
    spawnSync(process.execPath, ['-e', write])
    const contents = contentsOf(join(store.path, '..'))

    const { code, stderr } = await petstoreInThread(['verify'], store)

    assert.equal(code, 78, stderr)
    assert.match(stderr, / is not up to date with this program\. /)
    assert.ok('petstore.db-wal' in contents)
    assert.deepEqual(contentsOf(join(store.path, '..')), contents)
  },
)

it('65 damaged: the table of migrations is missing', async (t) => {
  const store = await soldOnSqlite(t)
  await store.damage('drop table migrations')
  const contents = await store.contents()

  const { code, stdout, stderr } = await petstoreInThread(['verify'], store)

  assert.deepEqual([code, stdout], [65, ''], stderr)
  assert.match(stderr, /petstore\.db is damaged, it lacks the table migrations\. .*\n$/)
  assert.deepEqual(await store.contents(), contents)
})

it('79 finding: bytes that are not UTF-8, such as a lone surrogate, in texts that clients read', async (t) => {
  const store = await soldOnSqlite(t)
  await store.damage(
    `update orders set reference = cast(x'61eda08062' as text) where id = 1`,
    `update orders set reference = cast(x'61ff' as text) where id = 2`,
    `update orders set reference = 'a' || char(0) || 'b' where id = 3`,
    `update orders set reference = '\ufffd' where id = 4`,
  )

  const { code, report } = await verify(store)

  const wrong = [1, 2, 3].map((id) => ['texts', `orders ${id}`])
  // No reader gets an order with a control character.
  assert.deepEqual([code, findingsOf(report.checks)], [79, [['orders', 'orders 3'], ...wrong]])
  assert.deepEqual(messagesOf(report, 'orders 1'), [
    'The reference of row 1 of orders is not valid UTF-8. null',
  ])
  assert.match(String(messagesOf(report, 'orders 2')), / is not valid UTF-8\. null$/)
  assert.match(String(messagesOf(report, 'orders 3')), / has a control character\. null$/)
})

it('79 finding: a file with damaged pages is never written to, whatever other findings there are', async (t) => {
  const store = await soldOnSqlite(t)
  await store.damage('update pets set reserved = 1 where id = 2')
  await store.damage(
    'pragma writable_schema = on',
    `delete from sqlite_schema where name = 'orders_pet'`,
  )

  const { code, report, stderr } = await verify(store, '--repair', '--yes')

  assert.deepEqual([code, report.found], [79, undefined], stderr)
  assert.deepEqual(findingsOf(report.checks), [
    ['files', null],
    ['schema', null],
    ['stock', 'pets 2'],
  ])
  const [files, schema] = report.checks
  const stock = report.checks.find(({ name }) => name === 'stock')
  assert.match(
    files?.findings[0]?.message ?? '',
    /^The file is damaged, restore a backup: .*\bPage \d+: never used\.$/,
  )
  assert.equal(schema?.findings[0]?.message, 'In the schema the index orders_pet is missing.')
  assert.equal(stock?.findings[0]?.repair, null)
  assert.deepEqual(await store.rows('select reserved from pets where id = 2'), ['1'])
})

it('79 finding: a table that cannot be read is reported, and the others are checked', async (t) => {
  const store = await soldOnSqlite(t)
  await store.damage(`update categories set name_key = 'hounds' where id = 1`)
  using database = new DatabaseSync(store.path)
  const { page } = database
    .prepare(`select rootpage as page from sqlite_schema where name = 'orders'`)
    .get() as { page: number }
  database.close()
  writeSync(openSync(store.path, 'r+'), Buffer.alloc(4096, 0x5a), 0, 4096, (page - 1) * 4096)

  const { code, report } = await verify(store)

  assert.equal(code, 79)
  const found = findingsOf(report.checks)
  for (const check of ['files', 'openOrders', 'orders', 'nameKeys']) {
    assert.ok(
      found.some(([name]) => name === check),
      JSON.stringify(found),
    )
  }
  const [unread] = report.checks.find(({ name }) => name === 'orders')?.findings ?? []
  assert.match(unread?.message ?? '', /^This check failed: .*petstore\.db is damaged/)
  assert.ok(report.checks.every(({ findings }) => findings.every(({ repair }) => repair === null)))
})

it('79 finding: a row that refers to a missing row, which verify does not repair', async (t) => {
  const store = await soldOnSqlite(t)
  await store.damage(
    'create table tags (pet_id integer references pets (id))',
    'insert into tags values (4), (3)',
  )

  const { code, report } = await verify(store)

  assert.equal(code, 79)
  assert.deepEqual(findingsOf(report.checks), [
    ['files', null],
    ['schema', null],
  ])
  assert.equal(report.checks[1]?.findings[0]?.message, 'In the schema the table tags is foreign.')
  assert.equal(
    report.checks[0]?.findings[0]?.message,
    'The database reports: row 2 of tags refers to a row of pets that does not exist.',
  )
})

it('79 finding: a flipped bit in a name stays out of the record that clients read, whatever is repaired', async (t) => {
  const store = await soldOnSqlite(t)
  const bytes = readFileSync(store.path)
  const place = bytes.toString('latin1').search(/(?<!")Bob/)
  bytes[place] = (bytes[place] as number) ^ 1
  writeFileSync(store.path, bytes)
  const [record] = await store.rows('select record from pets where id = 2')

  const { code, report } = await verify(store, '--repair', '--yes')

  assert.match(record ?? '', /"name":"Bob"/)
  assert.equal(code, 79)
  assert.deepEqual(findingsOf(report.checks), [
    ['nameKeys', 'pets 2'],
    ['derivedColumns', 'pets 2'],
  ])
  assert.deepEqual(await store.rows('select record from pets where id = 2'), [record])
})
