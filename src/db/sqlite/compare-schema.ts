import type { SchemaDifference } from '../schema-difference.ts'
import type { Connection } from './connection.ts'
import { openReference } from './reference-schema.ts'

/** Damaged rows may have values of any type, and null. */
type SchemaRow = [
  type: string | null,
  name: string | null,
  table: string | null,
  sql: string | null,
]

/**
 * Compares a database's tables, indexes, triggers and views with those that the migrations make, up to `last` or all, and
 * `more` statements. Comments, spaces and the tables of ANALYZE may differ.
 */
export function compareSchema(
  connection: Connection,
  { last, more = '' }: { last?: string | undefined; more?: string } = {},
): SchemaDifference[] {
  const reference = openReference(last)
  try {
    reference.exec(more)
    const expected = new Map(selectObjects(reference).map((object) => [object.id, object]))
    const differences: SchemaDifference[] = []
    for (const { id, type, name, definition } of selectObjects(connection)) {
      const own = expected.get(id)
      // A second object of this name is foreign.
      expected.delete(id)
      if (!own) differences.push({ kind: 'foreign', type, name })
      else if (own.definition !== definition) differences.push({ kind: 'changed', type, name })
    }
    for (const { type, name } of expected.values()) {
      differences.push({ kind: 'missing', type, name })
    }
    return differences
  } finally {
    reference.close()
  }
}

function selectObjects(connection: Connection) {
  return connection
    .all<SchemaRow>(
      `select cast(type as text), cast(name as text), cast(tbl_name as text), cast(sql as text)
      from sqlite_schema`,
    )
    .filter(([type, name]) => type !== 'table' || !/^sqlite_stat[14]$/.test(name ?? ''))
    .map(([type, name, table, sql]) => ({
      id: JSON.stringify([type, name]),
      type: type ?? '',
      name: name ?? '',
      definition: JSON.stringify([table, sql && normalized(sql)]),
    }))
}

/** Without comments and repeated spaces outside of quotes, and the quotes that renaming a table adds. */
function normalized(sql: string): string {
  return sql
    .replaceAll(/'[^']*'|"[^"]*"|(?:--[^\n]*|[ \t\n\f\r])+/g, (part) =>
      /^['"]/.test(part) ? part : ' ',
    )
    .replace(/^CREATE TABLE "(\w+)"/, 'CREATE TABLE $1')
}
