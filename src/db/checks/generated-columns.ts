import type { TableShape } from '../copying/copying.ts'
import type { Row } from '../db.ts'
import { shapesIn } from '../doors/tables-at.ts'
import { rowsOf } from '../lists/steps.ts'
import type { Connection } from '../sqlite/connection.ts'
import { openReference } from '../sqlite/migrate.ts'
import { type Check, defineCheck, type Finding, findingOf, type Table } from '../storage.ts'

/** Compares the columns that the database generates with those of a fresh schema for the same row. */
export function generatedColumnsCheck(tables: readonly Table[]): Check {
  return defineCheck({
    name: 'derivedColumns',
    promise: 'generated columns match the other columns of their row',
    async *find(sql, checkTime) {
      using generator = openGenerator()
      const shapes = shapesIn(generator)
      for (const { name: table } of tables) {
        const shape = shapes.find(({ name }) => name === table)
        if (!shape || shape.generated.length === 0) continue
        const columns = [...ownColumns(shape), ...shape.generated]
        for await (const rows of rowsOf(sql, { table, columns }, checkTime))
          for (const row of rows) yield* compare(generator, shape, row)
      }
    },
  })
}

function ownColumns({ columns }: TableShape): string[] {
  return columns.map(({ name }) => name)
}

function compare(generator: Connection, shape: TableShape, row: Row): Finding[] {
  const { name: table, columns, generated } = shape
  const id = String(row[ownColumns(shape).indexOf('id')])
  try {
    const expected = generate(generator, shape, row.slice(0, columns.length))
    return generated.flatMap((column, index) => {
      const value = row[columns.length + index] ?? null
      if (value === expected[index]) return []
      const message = `The ${column} of row ${id} of ${table} is ${value}, but this program generates ${expected[index]}.`
      return findingOf(table, id, message)
    })
  } catch (error) {
    const message = `Row ${id} of ${table} violates the table: ${(error as Error).message}.`
    return [findingOf(table, id, message)]
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
function generate(connection: Connection, { name, columns, generated }: TableShape, row: Row): Row {
  connection.insert(name, columns, [row])
  const [values = []] = connection.all(`select ${generated.join(', ')} from ${name}`)
  connection.all(`delete from ${name}`)
  return values
}
