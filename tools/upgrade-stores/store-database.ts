import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
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
  /** What is kept of it, after its program has stopped. */
  contents(program: Program): Promise<Buffer>
  remove(): Promise<void>
}

/** A new database, which is empty. */
export async function makeDatabase(engine: Engine, server: PostgresServer): Promise<StoreDatabase> {
  return engine === 'sqlite' ? makeFile() : makePostgres(server)
}

function makeFile(): StoreDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-store-'))
  const path = join(folder, 'petstore.db')
  return {
    address: `sqlite:${path}`,
    async assignFrom(table, last) {
      using database = new DatabaseSync(path)
      database.prepare('update sqlite_sequence set seq = ? where name = ?').run(last, table)
    },
    // After a clean stop the file is all there is.
    contents: async () => readFileSync(path),
    remove: async () => rmSync(folder, { recursive: true }),
  }
}

async function makePostgres(server: PostgresServer): Promise<StoreDatabase> {
  const address = await server.createDatabase()
  const name = new URL(address).pathname.slice(1)
  const query = (text: string) => server.query(text, name)
  return {
    address,
    assignFrom: async (table, last) =>
      void (await query(`select setval(pg_get_serial_sequence('${table}', 'id'), ${last})`)),
    contents: ({ folder }) => dumpPostgres(query, folder),
    remove: () => server.dropDatabase(address),
  }
}
