import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext } from 'node:test'
import { isFull } from '../harness/extent.ts'
import { sellInStore } from '../harness/sold-store.ts'
import { itVerifiesAsItIs } from '../harness/verify-as-it-is.ts'
import { itVerifies, type SoldStore } from '../harness/verify-findings.ts'
import { itVerifiesValues } from '../harness/verify-values.ts'
import { anyPostgres } from '../processes/postgres.ts'
import { openSession } from '../processes/postgres-store.ts'
import { settingsFor } from '../processes/process.ts'

const server = await anyPostgres()

/** The copies have the key of the original. */
const directory = mkdtempSync(join(tmpdir(), 'petstore-sold-'))
after(() => rmSync(directory, { recursive: true, force: true }))
const settingsOn = (address: string) => ({
  ...settingsFor(directory),
  PETSTORE_DATABASE: address,
})

/** Statements that drop each check, and that add it for later writes. */
const checks = `select format('alter table if exists %s drop constraint %I', conrelid::regclass, conname) as drop,
    format('alter table if exists %s add constraint %I %s', conrelid::regclass, conname,
      replace(pg_get_constraintdef(oid), ' NOT VALID', '') || ' not valid') as add
  from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace`

const original = await server.createDatabase()
const originalName = new URL(original).pathname.slice(1)
after(async () => {
  await server.dropDatabase(original)
  await server.stop()
})
let sold: Promise<void> | undefined
let copies = 0

/** A database for one test, copied from a store that is made once for all. */
async function soldOnPostgres(t: TestContext): Promise<SoldStore> {
  sold ??= sellInStore(settingsOn(original))
  await sold
  copies += 1
  const name = `${originalName}_${copies}`
  await server.query(`create database ${name} template ${originalName}`)
  const address = server.addressOf(name)
  const session = await openSession(t, address)
  t.after(() => server.dropDatabase(address))

  return {
    env: settingsOn(address),
    async damage(...statements) {
      const { rows } = await session.query<{ drop: string; add: string }>(checks)
      const drops = rows.map(({ drop }) => drop)
      const adds = rows.map(({ add }) => add)
      for (const statement of [...drops, ...statements, ...adds]) await session.query(statement)
    },
    async rows(text) {
      const { rows } = await session.query<unknown[]>({ text, rowMode: 'array' })
      return rows.map((row) => row.join('|'))
    },
    contents: () => contentsOf(name),
    async derive(table, column, value, id) {
      await session.query(`alter table ${table} alter column ${column} drop expression`)
      await session.query(`update ${table} set ${column} = ${value} where id = ${id}`)
    },
  }
}

/** The columns, constraints and rows of each table. */
async function contentsOf(name: string): Promise<unknown> {
  const { rows } = await server.query(
    `select relname, relkind, (
        select array_agg(attname order by attnum) from pg_attribute where attrelid = pg_class.oid
      ), case when relkind = 'r' then query_to_xml('select * from ' || relname, true, false, '') end
    from pg_class where relnamespace = 'public'::regnamespace order by relname`,
    name,
  )
  return rows
}

// The same code finds these on SQLite, in test/cli/verify-data.test.ts.
if (isFull) {
  itVerifies({
    soldStore: soldOnPostgres,
    forgetIds: (table) => `select setval('${table}_id_seq', 1)`,
    brokenRule: [],
    changedRules: Array.from({ length: 3 }, () => ['schema', null]),
  })
  itVerifiesValues({ soldStore: soldOnPostgres, brokenRule: [] })
}

itVerifiesAsItIs({
  soldStore: soldOnPostgres,
  async emptyDatabase(t) {
    const address = await server.createDatabase()
    t.after(() => server.dropDatabase(address))
    const name = new URL(address).pathname.slice(1)
    return { env: settingsOn(address), contents: () => contentsOf(name) }
  },
  tables: `select tablename from pg_tables where schemaname = 'public'`,
})
