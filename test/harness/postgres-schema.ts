import pg from 'pg'
import { storage } from '../../src/app/storage.ts'
import { describeSchema } from '../../src/db/postgres/compare-schema.ts'
import { createStore } from '../../src/db/postgres/migrate.ts'
import { sqlOn } from '../../src/db/postgres/sql.ts'

/** The text of `migrations/postgres-schema.tsv`: what the migrations make in an empty database. */
export async function writePostgresSchema(address: string): Promise<string> {
  const client = new pg.Client(address)
  await client.connect()
  try {
    await client.query('begin')
    await createStore(client)
    const tables = [...storage.tables.map(({ name }) => name), 'migrations']
    const objects = await describeSchema(sqlOn(client), tables)
    await client.query('rollback')
    return objects.map(({ type, name, definition }) => `${type}\t${name}\t${definition}\n`).join('')
  } finally {
    await client.end()
  }
}
