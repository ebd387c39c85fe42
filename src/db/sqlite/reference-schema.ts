import { loadMigrations } from '../migrate.ts'
import { type Connection, connect, inMemory } from './connection.ts'
import { createMigrations } from './migrate.ts'

/** A database in memory with the schema of the migrations up to `last`, or of all, and the rows that they insert. */
export function openReference(last?: string): Connection {
  const connection = connect(inMemory)
  connection.exec(createMigrations)
  for (const { name, sql } of loadMigrations('sqlite')) {
    connection.exec(sql)
    if (name === last) break
  }
  return connection
}
