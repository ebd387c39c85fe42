import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import { systemRandom } from '../../src/context/context.ts'
import { loadMigrations } from '../../src/db/migrate.ts'
import { digestOf, mintKey } from '../../src/features/keys/key-format.ts'
import { aDirectory } from '../processes/command.ts'
import { anyPostgres, type PostgresServer } from '../processes/postgres.ts'

/** A database as an older version of the program left it. */
type OldStore = {
  /** The value of PETSTORE_DATABASE. */
  address: string
  run(text: string): Promise<void>
  /** The first column of the rows. */
  list(text: string): Promise<unknown[]>
}

export type OldEngine = {
  /** An empty store with the migrations up to this one. It is removed after the test. */
  makeStore(t: TestContext, last: string): Promise<OldStore>
  close(): Promise<void>
}

/** The engines whose databases are upgraded, each created on first use. */
export const oldEngines: Record<'sqlite' | 'postgres', () => Promise<OldEngine>> = {
  sqlite: async () => ({ makeStore: makeFile, close: async () => undefined }),
  async postgres() {
    const server = await anyPostgres()
    return {
      makeStore: (t, last) => makeDatabase(server, t, last),
      close: () => server.stop(),
    }
  },
}

async function makeFile(t: TestContext, last: string): Promise<OldStore> {
  const path = join(aDirectory(t), 'petstore.db')
  const store = {
    address: `sqlite:${path}`,
    async run(text: string) {
      using database = new DatabaseSync(path)
      database.exec(text)
    },
    async list(text: string) {
      using database = new DatabaseSync(path)
      return database
        .prepare(text)
        .all()
        .map((row) => Object.values(row)[0])
    },
  }
  await store.run(`pragma journal_mode = wal; pragma application_id = 0x70657473;
    create table migrations (name text primary key) strict; ${migrationsTo('sqlite', last)}`)
  return store
}

async function makeDatabase(
  server: PostgresServer,
  t: TestContext,
  last: string,
): Promise<OldStore> {
  const address = await server.createDatabase()
  t.after(() => server.dropDatabase(address))
  const query = (text: string) => server.query(text, new URL(address).pathname.slice(1))
  await query(`create table migrations (name text primary key); ${migrationsTo('postgres', last)}`)
  return {
    address,
    run: async (text) => void (await query(text)),
    list: async (text) => (await query(text)).rows.map((row) => Object.values(row)[0]),
  }
}

function migrationsTo(engine: 'sqlite' | 'postgres', last: string): string {
  const migrations = loadMigrations(engine).filter(({ name }) => name <= last)
  return migrations
    .map(({ name, sql }) => `${sql}; insert into migrations (name) values ('${name}');`)
    .join('\n')
}

/** A key with these scopes, and the statement with which an older version stored it. */
export function oldKey(engine: 'sqlite' | 'postgres', scopes: string) {
  const key = mintKey('production', systemRandom)
  const digest = digestOf(key).toString('hex')
  const literal = engine === 'sqlite' ? `x'${digest}'` : String.raw`'\x${digest}'`
  return {
    key,
    insert: `insert into keys (name, hint, digest, scopes, created_at)
      values ('old', '${key.slice(0, 12)}', ${literal}, '${scopes}', 1767225600000)`,
  }
}
