import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isOnPostgres } from '../harness/engine.ts'
import { itInFull } from '../harness/extent.ts'
import type { TestStore } from '../harness/sell-in-store.ts'
import { emptyDatabase, soldStore } from '../harness/sold-store.ts'
import { findingsOf, messagesOf, verify } from '../harness/verify.ts'
import { petstoreInThread } from '../processes/command-thread.ts'

const migrations = 'select name from migrations order by name'
const tables = isOnPostgres
  ? `select tablename from pg_tables where schemaname = 'public'`
  : `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`

/** verify, with and without --repair, exits with one sentence and changes nothing. */
async function expectRefusal(store: TestStore, expected: { code: number; message: RegExp }) {
  const contents = await store.contents()
  for (const options of [[], ['--json', '--repair', '--yes']]) {
    const { code, stdout, stderr } = await petstoreInThread(['verify', ...options], store)
    assert.deepEqual([code, stdout], [expected.code, ''], stderr)
    assert.match(stderr, expected.message)
    assert.deepEqual(await store.contents(), contents)
  }
}

it('78 configuration: verify creates no store in an empty database', async (t) => {
  const empty = await emptyDatabase(t)

  await expectRefusal(empty, {
    code: 78,
    message: /^There is no store at \S+petstore\S+\. Nothing was changed\. .*\n$/,
  })
})

itInFull('78 configuration: verify does not upgrade a store', async (t) => {
  const store = await soldStore(t)
  const [last, ...others] = (await store.rows(migrations)).reverse()
  await store.damage(`delete from migrations where name = '${last}'`)

  await expectRefusal(store, {
    code: 78,
    message:
      /^\S+petstore\S+ is not up to date with this program\. Nothing was changed; take a backup, then start the service once to upgrade it\.\n$/,
  })

  assert.deepEqual(await store.rows(migrations), others.reverse())
})

it('78 configuration: verify refuses the data of another environment', async (t) => {
  const { env, contents } = await soldStore(t)

  await expectRefusal(
    { env: { ...env, PETSTORE_ENVIRONMENT: 'staging' }, contents },
    { code: 78, message: /^\S+ holds the data of production, and this is staging\. .*\.\n$/ },
  )
})

it('79 finding: verify does not claim a store without an owner', async (t) => {
  const store = await soldStore(t)
  await store.damage('delete from environment')
  const contents = await store.contents()

  const { code, report, stderr } = await verify(store, '--repair', '--yes')

  assert.deepEqual([code, stderr], [79, ''])
  assert.deepEqual(findingsOf(report.checks), [['environment', 'environment 1']])
  assert.match(
    String(messagesOf(report, 'environment 1')),
    /^The store has no environment, production or staging; .*\. null$/,
  )
  assert.deepEqual(await store.contents(), contents)
  assert.deepEqual(await store.rows('select name from environment'), [])
})

it('65 damaged: any one of the tables is missing', async (t) => {
  const store = await soldStore(t)
  const names = (await store.rows(tables)).filter((name) => name !== 'migrations')
  assert.ok(names.includes('orders'), String(names))

  for (const name of names) {
    await store.damage(`alter table ${name} rename to aside`)
    const { code, stdout, stderr } = await petstoreInThread(['verify'], store)
    await store.damage(`alter table aside rename to ${name}`)

    assert.deepEqual([code, stdout], [65, ''], stderr)
    assert.match(
      stderr,
      new RegExp(
        `^\\S+ is damaged, it lacks the table ${name}\\. Nothing was changed; restore a backup\\.\n$`,
      ),
    )
  }

  await store.damage('drop table orders', 'drop table pets')
  await expectRefusal(store, { code: 65, message: /, it lacks the tables orders, pets\. / })
})
