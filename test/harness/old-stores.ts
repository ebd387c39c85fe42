import { join } from 'node:path'
import { after, type TestContext } from 'node:test'
import { systemRandom } from '../../src/context/context.ts'
import { loadMigrations } from '../../src/db/schema/migrate.ts'
import { digestOf, mintKey } from '../../src/features/keys/key-format.ts'
import { aDirectory } from '../processes/command.ts'
import { anyPostgres, type PostgresServer, usePostgres } from '../processes/postgres.ts'
import { change, rowsIn } from './sqlite-file.ts'

/** A database as an older version of the program left it. */
type OldStore = {
  /** The value of PETSTORE_DATABASE. */
  address: string
  run(text: string): Promise<void>
  /** The first column of the rows. */
  list(text: string): Promise<string[]>
}
const beginnings = {
  sqlite: `pragma journal_mode = wal; pragma application_id = 0x70657473;
    create table migrations (name text primary key) strict`,
  postgres: 'create table migrations (name text primary key)',
}
type Engine = keyof typeof beginnings

/** An empty store with the migrations up to this one. It is removed after the test. */
export async function anOldStore(t: TestContext, engine: Engine, last: string): Promise<OldStore> {
  const store = engine === 'sqlite' ? aFile(t) : await aDatabase(t)
  await store.run(`${beginnings[engine]}; ${migrationsTo(engine, last)}`)
  return store
}

function aFile(t: TestContext): OldStore {
  const path = join(aDirectory(t), 'petstore.db')
  return {
    address: `sqlite:${path}`,
    run: async (text) => change(path, [text]),
    list: async (text) => rowsIn(path, text),
  }
}

let server: Promise<PostgresServer> | undefined
after(async () => (await server)?.stop())

async function aDatabase(t: TestContext): Promise<OldStore> {
  server ??= anyPostgres()
  const { createDatabase, dropDatabase } = await server
  const address = await createDatabase()
  t.after(() => dropDatabase(address))
  const { query } = usePostgres(address)
  return {
    address,
    run: async (text) => void (await query(text)),
    list: async (text) => (await query(text)).rows.map((row) => String(Object.values(row)[0])),
  }
}

function migrationsTo(engine: Engine, last: string): string {
  const migrations = loadMigrations(engine).filter(({ name }) => name <= last)
  return migrations
    .map(({ name, sql }) => `${sql}; insert into migrations (name) values ('${name}');`)
    .join('\n')
}

/** A key with these scopes, and the statement with which an older version stored it. */
export function oldKey(engine: Engine, scopes: string) {
  const key = mintKey('production', systemRandom)
  const digest = digestOf(key).toString('hex')
  const literal = engine === 'sqlite' ? `x'${digest}'` : String.raw`'\x${digest}'`
  return {
    key,
    insert: `insert into keys (name, hint, digest, scopes, created_at)
      values ('old', '${key.slice(0, 12)}', ${literal}, '${scopes}', 1767225600000)`,
  }
}
