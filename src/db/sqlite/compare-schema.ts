import {
  compareObjects,
  type SchemaDifference,
  type SchemaObject,
} from '../schema/schema-difference.ts'
import type { Connection } from './connection.ts'
import { openReference } from './migrate.ts'

/** Damaged rows may have values of any type, and null. */
type SchemaRow = [
  type: string | null,
  name: string | null,
  table: string | null,
  sql: string | null,
]

/**
 * Compares a database's tables, indexes, triggers and views with those that the migrations make, up to `last` or all.
 * Comments, spaces and the tables of ANALYZE may differ.
 */
export function compareSchema(
  connection: Connection,
  { last }: { last?: string | undefined } = {},
): SchemaDifference[] {
  using reference = openReference(last)
  return compareObjects(selectObjects(reference), selectObjects(connection))
}

function selectObjects(connection: Connection): SchemaObject[] {
  return connection
    .all<SchemaRow>(
      `select cast(type as text), cast(name as text), cast(tbl_name as text), cast(sql as text)
      from sqlite_schema`,
    )
    .filter(([type, name]) => type !== 'table' || !/^sqlite_stat[14]$/.test(name ?? ''))
    .map(([type, name, table, sql]) => ({
      type: type ?? '',
      name: name ?? '',
      definition: JSON.stringify([table, sql && normalized(sql)]),
    }))
}

/** Without comments and repeated spaces outside of quotes. SQLite reads nothing behind a NUL, so that belongs to no comment. */
function normalized(sql: string): string {
  return sql.replaceAll(/'[^']*'|"[^"]*"|(?:--[^\n\0]*|[ \t\n\f\r])+/g, (part) =>
    /^['"]/.test(part) ? part : ' ',
  )
}
