import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { isOnPostgres } from '../../test/harness/engine.ts'
import { itInFull } from '../../test/harness/extent.ts'
import { until } from '../../test/harness/until.ts'
import { engineOfTests, placeStore, storeOf } from '../../test/harness/upgrade-stores.ts'
import { ask } from '../../test/processes/command.ts'
import { usePostgres } from '../../test/processes/postgres.ts'
import { openSession, settingsOn } from '../../test/processes/postgres-store.ts'
import { launchService, startService } from '../../test/processes/process.ts'
import { workingCopy } from '../../test/processes/working-copy.ts'
import { loadMigrations } from '../db/schema/migrate.ts'

const known = loadMigrations(engineOfTests).map(({ name }) => name)
const addWeight = 'alter table orders add column weight int'
/** Does not end on SQLite; on PostgreSQL it waits for a lock. */
const endless = {
  sqlite: `${addWeight}; with recursive n (i) as (select 1 union all select i + 1 from n) update orders set weight = (select count(*) from n)`,
  postgres: addWeight,
}

/** The first column of the rows. */
async function list(address: string, text: string): Promise<string[]> {
  if (isOnPostgres) {
    const { rows } = await usePostgres(address).query(text)
    return rows.map((row) => String(Object.values(row)[0]))
  }
  using database = new DatabaseSync(address.replace('sqlite:', ''), {
    readOnly: true,
    timeout: 60_000,
  })
  return database
    .prepare(text)
    .all()
    .map((row) => String(Object.values(row)[0]))
}

/** A pet that was held is available again, once that has ended. */
const withoutStatus = (pets: string) => pets.replaceAll(/,"status":"\w+"/g, '')

const itInTurn = isOnPostgres ? itInFull : it

itInTurn(
  'a store with rows is upgraded by two new migrations, although the start is killed during the second',
  async (t) => {
    const root = workingCopy()
    t.after(() => rmSync(root, { recursive: true, force: true }))
    const add = (name: string, sql: string) =>
      writeFileSync(join(root, `migrations/${engineOfTests}/${name}.sql`), sql)
    add(
      '9998_care',
      'alter table categories add column care text; update categories set care = name',
    )
    add('9999_weight', endless[engineOfTests])
    const store = storeOf('1.0.0')
    const address = await placeStore(t, store)
    const keyFile = join(root, 'first-key')
    writeFileSync(keyFile, store.keys.full ?? '')
    const settings = { PETSTORE_FIRST_KEY_FILE: keyFile, PETSTORE_ENVIRONMENT: 'staging' }
    const env = { ...settingsOn(t, address), ...settings }
    const applied = () => list(address, 'select name from migrations order by name')
    const blocker = isOnPostgres ? await openSession(t, address) : undefined
    await blocker?.query('begin; lock table orders in access share mode')

    const killed = launchService({ root, env })
    await until(async () => (await applied()).includes('9998_care'))
    await killed.kill()
    const between = await applied()
    await blocker?.query('rollback')
    add('9999_weight', addWeight)
    await using service = await startService({ root, env })
    const pets = await ask(`${service.baseUrl}/pets?limit=100`, service.key)

    assert.deepEqual(between, [...known, '9998_care'])
    assert.deepEqual(await applied(), [...known, '9998_care', '9999_weight'])
    assert.equal(withoutStatus(pets.text), withoutStatus(store.reads['/v1/pets?limit=100'] ?? ''))
    assert.deepEqual(
      await list(address, 'select care from categories order by id'),
      await list(address, 'select name from categories order by id'),
    )
    await service.stop()
    const verified = await launchService({ root, args: ['verify'], env }).exited
    assert.equal(verified.code, 0, verified.stdout + verified.stderr)
  },
)

itInFull('a store and a backup of before 1.0.0 get the migrations since', async (t) => {
  const root = workingCopy()
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const migration = join(root, `migrations/${engineOfTests}/9999_care.sql`)
  // A backup is restored in a file of SQLite first.
  for (const path of [migration, join(root, 'migrations/sqlite/9999_care.sql')])
    writeFileSync(
      path,
      'alter table categories add column care text; update categories set care = name',
    )
  const backup = join(root, 'early.backup')
  writeFileSync(backup, gunzipSync(readFileSync(join(root, 'test/upgrades/early.backup.gz'))))

  for (const [store, ...args] of [
    [storeOf('early'), '--replace'],
    [undefined, backup],
  ] as const) {
    const address = await placeStore(t, store)
    const env = { PETSTORE_DATABASE: address, PETSTORE_ENVIRONMENT: 'staging' }
    const { code, stderr } = await launchService({ root, args: ['restore', ...args], env }).exited
    const cares = await list(address, 'select care from categories order by id')

    assert.equal(code, 0, stderr)
    assert.deepEqual(cares, ['Кошки 🐈', 'ÄFFCHEN'])
  }
})
