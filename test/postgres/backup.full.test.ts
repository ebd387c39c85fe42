import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, it, type TestContext } from 'node:test'
import { storage } from '../../src/app/storage.ts'
import { archiveStore, restoreArchive } from '../../src/db/postgres/archive-store.ts'
import { restoreMark } from '../../src/db/schema/store-mark.ts'
import { createEmptyStore } from '../harness/empty-store.ts'
import { itInFull } from '../harness/extent.ts'
import { serveHere } from '../harness/serve-here.ts'
import { rowsIn } from '../harness/sqlite-file.ts'
import { aDirectory } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { anyPostgres } from '../processes/postgres.ts'
import { settingsFor } from '../processes/process.ts'

const server = await anyPostgres()
after(() => server.stop())

type Env = Record<string, string>

async function run(env: Env, ...args: string[]) {
  const { code, stdout, stderr } = await petstoreInThread([...args, '--json'], { env })
  assert.match(stdout, /^\{.*\}\n$/, stderr)
  return { code, report: JSON.parse(stdout) }
}

/** A store with demo data on PostgreSQL, whose last pet has been deleted, and a backup of it. */
async function aBackedUpStore(t: TestContext, { schema = 'public' } = {}) {
  const address = await aDatabase(t)
  const database = new URL(address).pathname.slice(1)
  const query = async (text: string) => (await server.query(text, database)).rows
  await query(`create schema if not exists ${schema}`)
  await query(`alter database ${database} set search_path = ${schema}`)
  const folder = aDirectory(t)
  const env = { ...settingsFor(folder), PETSTORE_DATABASE: address }
  await petstoreInThread(['seed', '--count', '60'], { env })
  await query(`insert into pets (name, name_key, category_id) values ('Ærø', 'ærø', 1)`)
  await query('delete from pets where id = 61')
  const file = join(folder, 'pets.backup')
  const { code, report } = await run(env, 'backup', file)
  return { address, env, folder, file, query, code, report }
}

async function aDatabase(t: TestContext): Promise<string> {
  const address = await server.createDatabase()
  t.after(() => server.dropDatabase(address))
  return address
}

const selectRecords = `select string_agg(record, '' order by id) as records from pets`

it('backup: of a store on PostgreSQL; restore makes a store of it on SQLite and on PostgreSQL', async (t) => {
  const { file, folder, env, query, code, report } = await aBackedUpStore(t)

  const recorded = await query('select file from last_backup')
  const checked = await run(env, 'backup', '--check', file)
  const place = settingsFor(aDirectory(t))
  const onSqlite = await run(place, 'restore', file)
  const other = await aDatabase(t)
  const onPostgres = await run({ PETSTORE_DATABASE: other }, 'restore', file, '--skip-ids', '5')
  const verified = await petstoreInThread(['verify'], { env: { PETSTORE_DATABASE: other } })

  assert.deepEqual([code, report.engine, report.findings], [0, 'postgres', 0])
  assert.deepEqual(readdirSync(folder), ['pets.backup'])
  assert.deepEqual(recorded, [{ file }])
  assert.deepEqual([checked.code, checked.report.tables], [0, report.tables])
  assert.deepEqual([onSqlite.code, onSqlite.report.lastIds.pets], [0, '1000061'])
  assert.deepEqual([onPostgres.code, onPostgres.report.lastIds.pets], [0, '66'])
  assert.equal(verified.code, 0, verified.stdout)
  const [{ records }] = await query(selectRecords)
  const path = place.PETSTORE_DATABASE?.slice('sqlite:'.length) ?? ''
  const selectOnSqlite = `select group_concat(record, '') from (select record from pets order by id)`
  assert.deepEqual(rowsIn(path, selectOnSqlite), [records])
  const database = new URL(other).pathname.slice(1)
  assert.deepEqual((await server.query(selectRecords, database)).rows, [{ records }])
  const next = await server.query(
    `insert into pets (name, name_key, category_id) values ('Rex', 'rex', 1) returning id`,
    database,
  )
  assert.equal(next.rows[0].id, '67')
})

itInFull(
  'restore --replace: keeps the old store in a schema of its own, and none of its ids is assigned again',
  async (t) => {
    const { file, env, query } = await aBackedUpStore(t)
    await query(`insert into pets (name, name_key, category_id) values ('Rex', 'rex', 1)`)

    const without = await petstoreInThread(['restore', file], { env })
    const { code, report } = await run(env, 'restore', file, '--replace')
    const verified = await petstoreInThread(['verify'], { env })

    assert.equal(without.code, 64)
    assert.match(
      without.stderr,
      /^There is a store at \S+\. --replace keeps it in a schema of its own/,
    )
    assert.deepEqual([code, report.lastIds.pets, verified.code], [0, '62', 0])
    const [, schema] =
      /^the schema (petstore_replaced_\d{4}(?:_\d\d){5}_\d{3})$/.exec(report.kept) ?? []
    assert.deepEqual(await query(`select count(*)::int, max(id)::int from ${schema}.pets`), [
      { count: 61, max: 62 },
    ])
    assert.deepEqual(await query('select count(*)::int, max(id)::int from pets'), [
      { count: 60, max: 60 },
    ])
    // The one that is kept does not tell what this one has assigned.
    await query('drop schema public cascade')
    await query('create schema public')
    const again = await run(env, 'restore', file)
    assert.equal(again.report.lastIds.pets, '1000062')
  },
)

itInFull(
  'restore --replace: cut off, nothing serves the place, and another run completes it; what fails is put back',
  async (t) => {
    const { address, file, env, query } = await aBackedUpStore(t)
    const database = { engine: 'postgres', text: address, name: 'the database' } as const
    const mark = {
      state: 'arriving',
      id: restoreMark,
      peer: file,
      markedAt: Date.parse('2026-12-05T03:00:00Z'),
    } as const
    const before = await query(selectRecords)

    await restoreArchive(database, storage, await archiveStore(database, storage, mark))
    const back = await query(selectRecords)
    await archiveStore(database, storage, mark)
    const refused = await petstoreInThread(['deprecations'], { env })
    const { code, report } = await run(env, 'restore', file)

    assert.deepEqual(back, before)
    assert.equal(refused.code, 78)
    assert.match(
      refused.stderr,
      /is being restored from \S+pets\.backup; .* Run petstore restore again/,
    )
    assert.deepEqual([code, report.kept, report.lastIds.pets], [0, null, '1000061'])
    assert.deepEqual(await query(selectRecords), before)
  },
)

itInFull(
  '75 alreadyServed: restore does not touch a PostgreSQL store that is served',
  async (t) => {
    const { file, env, query } = await aBackedUpStore(t)
    const service = await serveHere(env)

    const { code, stderr } = await petstoreInThread(['restore', file, '--replace'], { env })
    await service.stop()

    assert.equal(code, 75)
    assert.match(stderr, / is being served, or used by another command\./)
    const schemas = `select count(*)::int from pg_namespace where starts_with(nspname, 'petstore_')`
    assert.deepEqual(await query(schemas), [{ count: 0 }])
  },
)

itInFull(
  '78 configuration: backup refuses a PostgreSQL store of the other environment, and a database without one',
  async (t) => {
    const address = await server.createDatabase()
    t.after(() => server.dropDatabase(address))
    const folder = aDirectory(t)
    const env = { PETSTORE_DATABASE: address }
    const file = join(folder, 'pets.backup')

    const missing = await petstoreInThread(['backup', file], { env })
    await createEmptyStore(address, 'staging')
    const foreign = await petstoreInThread(['backup', file], { env })

    assert.deepEqual([missing.code, foreign.code], [78, 78])
    assert.match(missing.stderr, /^There is no store at postgres/)
    assert.match(foreign.stderr, /holds the data of staging, and this is production\./)
    assert.deepEqual(readdirSync(folder), [])
  },
)
