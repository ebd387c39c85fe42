import { after, type TestContext } from 'node:test'
import { aDirectory } from '../processes/command.ts'
import { usePostgres } from '../processes/postgres.ts'
import { openSession } from '../processes/postgres-store.ts'
import { settingsFor } from '../processes/process.ts'
import { type SoldStore, sellInStore, type TestStore } from './sell-in-store.ts'

const server = usePostgres(process.env.TEST_POSTGRES ?? '')
const directory = aDirectory({ after })
let original: ReturnType<typeof sell> | undefined
let copies = 0
after(async () => original && server.dropDatabase((await original).address))

/** A store in which `sellInStore` has sold, made once for all tests of a process. Its copies share its first key. */
async function sell() {
  const address = await server.createDatabase()
  const envOn = (database: string) => ({
    ...settingsFor(directory),
    PETSTORE_DATABASE: database,
  })
  await sellInStore(envOn(address))
  return { address, name: new URL(address).pathname.slice(1), envOn }
}

/** Statements that drop each check, and that add it for later writes. */
const checks = `select format('alter table if exists %s drop constraint %I', conrelid::regclass, conname) as drop,
    format('alter table if exists %s add constraint %I %s', conrelid::regclass, conname,
      replace(pg_get_constraintdef(oid), ' NOT VALID', '') || ' not valid') as add
  from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace`

/** A database for one test, a copy of the one that was sold in. */
export async function soldOnPostgres(t: TestContext): Promise<SoldStore> {
  original ??= sell()
  const { name: template, envOn } = await original
  copies += 1
  const name = `${template}_${copies}`
  await server.query(`create database ${name} template ${template}`)
  const address = server.addressOf(name)
  const session = await openSession(t, address)
  t.after(() => server.dropDatabase(address))

  return {
    env: envOn(address),
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

/** An empty database for one test. */
export async function emptyOnPostgres(t: TestContext): Promise<TestStore> {
  const address = await server.createDatabase()
  t.after(() => server.dropDatabase(address))
  const name = new URL(address).pathname.slice(1)
  return { env: { PETSTORE_DATABASE: address }, contents: () => contentsOf(name) }
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
