import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { rowsIn } from '../harness/backed-up-store.ts'
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

it('backup: of a store on PostgreSQL; restore makes a store of it on SQLite', async (t) => {
  const address = await server.createDatabase()
  t.after(() => server.dropDatabase(address))
  const folder = aDirectory(t)
  const env = { ...settingsFor(folder), PETSTORE_DATABASE: address }
  await petstoreInThread(['seed', '--count', '300'], { env })
  const database = new URL(address).pathname.slice(1)
  await server.query(
    `insert into pets (name, name_key, category_id) values ('Ærø', 'ærø', 1)`,
    database,
  )
  await server.query('delete from pets where id = 301', database)
  const file = join(folder, 'pets.backup')

  const { code, report } = await run(env, 'backup', file)
  const recorded = await server.query('select file from last_backup', database)
  const checked = await run(env, 'backup', '--check', file)
  const place = settingsFor(aDirectory(t))
  const restored = await run(place, 'restore', file)

  assert.deepEqual([code, report.engine, report.findings], [0, 'postgres', 0])
  assert.deepEqual(readdirSync(folder), ['pets.backup'])
  assert.deepEqual(recorded.rows, [{ file }])
  assert.deepEqual([checked.code, checked.report.tables], [0, report.tables])
  assert.deepEqual([restored.code, restored.report.lastIds.pets], [0, '301'])
  const path = place.PETSTORE_DATABASE?.slice('sqlite:'.length) ?? ''
  assert.deepEqual(rowsIn(path, 'select count(*), max(id) from pets'), ['300|300'])
  const select = `select string_agg(record, '' order by id) as records from pets`
  const [row] = (await server.query(select, database)).rows
  assert.equal(
    rowsIn(path, `select group_concat(record, '') from (select record from pets order by id)`)[0],
    row.records,
  )
})

it('78 configuration: backup refuses a PostgreSQL store of the other environment, and a database without one', async (t) => {
  const address = await server.createDatabase()
  t.after(() => server.dropDatabase(address))
  const folder = aDirectory(t)
  const env = { PETSTORE_DATABASE: address }
  const file = join(folder, 'pets.backup')

  const missing = await petstoreInThread(['backup', file], { env })
  await petstoreInThread(['keys', 'create', '--name', 'a', '--environment', 'staging'], { env })
  const foreign = await petstoreInThread(['backup', file], { env })

  assert.deepEqual([missing.code, foreign.code], [78, 78])
  assert.match(missing.stderr, /^There is no store at postgres/)
  assert.match(foreign.stderr, /holds the data of staging, and this is production\./)
  assert.deepEqual(readdirSync(folder), [])
})
