import { DatabaseSync } from 'node:sqlite'

/** Changes a SQLite file, constraints or not. */
export function change(path: string, statements: readonly string[]): void {
  using database = new DatabaseSync(path, { defensive: false })
  database.exec('pragma ignore_check_constraints = on; pragma foreign_keys = off')
  for (const statement of statements) database.exec(statement)
}

/** The rows of a query on a file, values with `|` between them. */
export function rowsIn(path: string, text: string): string[] {
  using database = new DatabaseSync(path, { returnArrays: true })
  const rows = database.prepare(text).all() as unknown as unknown[][]
  return rows.map((row) => row.join('|'))
}

/** A text in quotes for SQL. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
