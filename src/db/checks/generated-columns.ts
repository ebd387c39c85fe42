import type { Value } from '../db.ts'
import type { Connection } from '../sqlite/connection.ts'
import { openReference } from '../sqlite/migrate.ts'
import type { Check, Finding, Table } from '../storage.ts'
import { type CheckedColumns, findInRows } from './find-in-rows.ts'

/** Compares the columns that the database generates with those of a fresh schema for the same row. */
export function generatedColumnsCheck(tables: readonly Table[]): Check {
  const parts = tables.map(partOf).filter(({ derived }) => derived.length > 0)
  return {
    name: 'derivedColumns',
    promise: 'generated columns match the other columns of their row',
    scan: {
      name: 'verifyDerivedColumns',
      async run(sql, _input, checkTime) {
        using generator = openGenerator()
        return await findInRows(sql, parts, checkTime, (part, row) => compare(generator, part, row))
      },
    },
  }
}

/** A table with its own columns and those that are generated from them. */
type Part = CheckedColumns & { own: readonly string[]; derived: readonly string[] }

function partOf({ name, columns }: Table): Part {
  const names = Object.keys(columns)
  const own = names.filter((column) => !columns[column]?.isGenerated)
  const derived = names.filter((column) => columns[column]?.isGenerated)
  return { table: name, columns: [...own, ...derived], own, derived }
}

function compare(generator: Connection, part: Part, row: readonly Value[]): Finding[] {
  const { table, own, derived } = part
  const id = String(row[own.indexOf('id')])
  const finding = (message: string) => ({ record: { table, id }, message, repair: null })
  try {
    const expected = generate(generator, part, row.slice(0, own.length))
    return derived.flatMap((column, index) => {
      const value = row[own.length + index] ?? null
      if (value === expected[index]) return []
      return finding(
        `The ${column} of row ${id} of ${table} is ${value}, but this program generates ${expected[index]}.`,
      )
    })
  } catch (error) {
    return [finding(`Row ${id} of ${table} violates the table: ${(error as Error).message}.`)]
  }
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
  { table, own, derived }: Part,
  values: readonly Value[],
): Value[] {
  const marks = own.map((_, index) => `?${index + 1}`).join(', ')
  connection.all(`insert into ${table} (${own.join(', ')}) values (${marks})`, values)
  const [row = []] = connection.all(`select ${derived.join(', ')} from ${table}`)
  connection.all(`delete from ${table}`)
  return row
}
