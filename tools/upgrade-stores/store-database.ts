import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { PostgresServer } from '../../test/processes/postgres.ts'
import { dumpPostgres } from './dump-postgres.ts'
import type { Program } from './program.ts'
import type { Engine } from './stores.ts'

/** The database of a store that is made. */
export type StoreDatabase = {
  /** The value of PETSTORE_DATABASE. */
  address: string
  /** Makes a table assign ids above this one. */
  assignFrom(table: string, last: bigint): Promise<void>
  /** The names of the applied migrations, in order. */
  applied(): Promise<string[]>
  /** What is kept of it, after the program of `migrations` has stopped. */
  contents(program: Program): Promise<Buffer>
  remove(): Promise<void>
}

const selectMigrations = 'select name from migrations order by name'

/** A new database with these contents; an empty one without. */
export async function makeDatabase(
  engine: Engine,
  server: PostgresServer,
  contents?: Buffer,
): Promise<StoreDatabase> {
  return engine === 'sqlite' ? makeFile(contents) : makePostgres(server, contents)
}

function makeFile(contents: Buffer | undefined): StoreDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-store-'))
  const path = join(folder, 'petstore.db')
  if (contents) writeFileSync(path, contents)
  const use = <T>(work: (database: DatabaseSync) => T): T => {
    const database = new DatabaseSync(path)
    try {
      return work(database)
    } finally {
      database.close()
    }
  }
  return {
    address: `sqlite:${path}`,
    assignFrom: async (table, last) =>
      use((database) => {
        database.prepare('update sqlite_sequence set seq = ? where name = ?').run(last, table)
      }),
    applied: async () =>
      use((database) => database.prepare(selectMigrations).all()).map(({ name }) => String(name)),
    // After a clean stop the file is all there is.
    contents: async () => readFileSync(path),
    remove: async () => rmSync(folder, { recursive: true }),
  }
}

async function makePostgres(
  server: PostgresServer,
  contents: Buffer | undefined,
): Promise<StoreDatabase> {
  const address = await server.createDatabase()
  const name = new URL(address).pathname.slice(1)
  const query = (text: string) => server.query(text, name)
  if (contents) await query(String(contents))
  return {
    address,
    assignFrom: async (table, last) =>
      void (await query(`select setval(pg_get_serial_sequence('${table}', 'id'), ${last})`)),
    applied: async () => (await query(selectMigrations)).rows.map((row) => row.name),
    contents: ({ folder, migrations }) => dumpPostgres(query, folder, migrations),
    remove: () => server.dropDatabase(address),
  }
}
