import type { Value } from '../db.ts'
import { rowsOf } from '../lists/steps.ts'
import type { Connection } from '../sqlite/connection.ts'
import { openReference } from '../sqlite/reference-schema.ts'
import type { Check, Finding, Table } from '../storage.ts'

/** Compares the columns that the database generates with those of a fresh schema for the same row. */
export function generatedColumnsCheck(tables: readonly Table[]): Check {
  const generated = tables.filter(({ columns }) => namesOf(columns, true).length > 0)
  return {
    name: 'derivedColumns',
    promise: 'generated columns match the other columns of their row',
    scan: {
      name: 'verifyDerivedColumns',
      async run(sql, _input, checkTime) {
        const findings: Finding[] = []
        const generator = openGenerator()
        try {
          for (const table of generated) {
            const [own, derived] = [namesOf(table.columns, false), namesOf(table.columns, true)]
            const read = { table: table.name, columns: [...own, ...derived] }
            for await (const rows of rowsOf(sql, read, checkTime)) {
              for (const row of rows)
                findings.push(...compare(generator, table.name, own, derived, row))
            }
          }
        } finally {
          generator.close()
        }
        return findings
      },
    },
  }
}

function compare(
  generator: Connection,
  table: string,
  own: readonly string[],
  derived: readonly string[],
  row: readonly Value[],
): Finding[] {
  const id = String(row[own.indexOf('id')])
  const finding = (message: string) => ({ record: { table, id }, message, repair: null })
  let expected: readonly Value[]
  try {
    expected = generate(generator, table, { own, derived }, row.slice(0, own.length))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [finding(`Row ${id} of ${table} violates the table: ${reason}.`)]
  }
  return derived.flatMap((column, index) => {
    const value = row[own.length + index] ?? null
    if (value === expected[index]) return []
    return finding(
      `The ${column} of row ${id} of ${table} is ${value}, but this program generates ${expected[index]}.`,
    )
  })
}

/** A database in memory with the current schema: the reference for both engines. */
function openGenerator(): Connection {
  const connection = openReference()
  // A damaged row may violate a constraint; its generated columns are computed anyway.
  connection.exec('pragma ignore_check_constraints = on; pragma foreign_keys = off')
  const indexes = connection.all<[string]>(
    "select name from sqlite_schema where type = 'index' and sql is not null",
  )
  for (const [name] of indexes) connection.exec(`drop index ${name}`)
  connection.exec('begin')
  return connection
}

/** The generated columns of a row with these values, as the migrations define them. */
function generate(
  connection: Connection,
  table: string,
  { own, derived }: Record<'own' | 'derived', readonly string[]>,
  values: readonly Value[],
): Value[] {
  const marks = own.map((_, index) => `?${index + 1}`).join(', ')
  connection.all(`insert into ${table} (${own.join(', ')}) values (${marks})`, values)
  const [row = []] = connection.all(`select ${derived.join(', ')} from ${table}`)
  connection.all(`delete from ${table}`)
  return row
}

function namesOf(columns: Table['columns'], isGenerated: boolean): string[] {
  return Object.entries(columns)
    .filter(([, column]) => (column.isGenerated ?? false) === isGenerated)
    .map(([name]) => name)
}
