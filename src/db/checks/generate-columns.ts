import type { Value } from '../db.ts'
import { openReference } from '../sqlite/reference-schema.ts'

export type Generator = {
  /** The generated columns of a row with these values, as the migrations define them. */
  generate(
    table: string,
    columns: readonly string[],
    values: readonly Value[],
    generated: readonly string[],
  ): Value[]
  close(): void
}

/** A database in memory with the current schema: the reference for both engines. */
export function openGenerator(): Generator {
  const connection = openReference()
  // A damaged row may violate a constraint; its generated columns are computed anyway.
  connection.exec('pragma ignore_check_constraints = on; pragma foreign_keys = off')
  const indexes = connection.all<[string]>(
    "select name from sqlite_schema where type = 'index' and sql is not null",
  )
  for (const [name] of indexes) connection.exec(`drop index ${name}`)
  connection.exec('begin')

  return {
    generate(table, columns, values, generated) {
      const marks = columns.map((_, index) => `?${index + 1}`).join(', ')
      connection.all(`insert into ${table} (${columns.join(', ')}) values (${marks})`, values)
      const [row = []] = connection.all(`select ${generated.join(', ')} from ${table}`)
      connection.all(`delete from ${table}`)
      return row
    },
    close: () => connection.close(),
  }
}
