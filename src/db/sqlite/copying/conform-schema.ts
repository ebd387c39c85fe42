import { OpenError } from '../../errors.ts'
import { describeDifferences, type SchemaDifference } from '../../schema-difference.ts'
import { compareSchema } from '../compare-schema.ts'
import type { Connection } from '../connection.ts'
import { openReference } from '../reference-schema.ts'

/**
 * Gives a copy of a store the schema of the migrations up to `last`: drops what none of them made, and creates indexes anew.
 * Throws `damaged` where a table differs; the message names the store.
 */
export function conformSchema(connection: Connection, last: string, store: string): void {
  const differences = compareSchema(connection, { last })
  const inTables = differences.filter(({ kind, type }) => kind !== 'foreign' && type !== 'index')
  if (inTables.length > 0) {
    throw new OpenError(
      'damaged',
      `${store} does not have the schema of a store: ${describeDifferences(inTables)}. Nothing was changed; restore a backup.`,
    )
  }
  for (const difference of differences) drop(connection, difference)
  const missing = differences.filter(({ kind }) => kind !== 'foreign').map(({ name }) => name)
  if (missing.length > 0) createIndexes(connection, missing, last)
}

/** Indexes of constraints go with their tables. */
function drop(connection: Connection, { type, name }: SchemaDifference) {
  const isDropped = ['trigger', 'view', 'index', 'table'].includes(type)
  if (!isDropped || name.startsWith('sqlite_')) return
  connection.exec(`drop ${type} if exists "${name.replaceAll('"', '""')}"`)
}

function createIndexes(connection: Connection, names: readonly string[], last: string) {
  const reference = openReference(last)
  const rows = reference.all<[string, string]>(
    "select name, sql from sqlite_schema where type = 'index' and sql is not null",
  )
  reference.close()
  for (const [name, sql] of rows) if (names.includes(name)) connection.exec(sql)
}
