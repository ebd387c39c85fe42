import { DamagedRow } from './damaged-row.ts'
import type { Row, Sql } from './db.ts'

/** Invalid UTF-8 is read as U+FFFD, which may also be a valid character of a text. */
const replacement = '\ufffd'

/** Whether every text of a row was certainly read as stored. */
export function isCertain(row: Row): boolean {
  for (const value of row) {
    if (typeof value === 'string' && value.includes(replacement)) return false
  }
  return true
}

/** Throws DamagedRow where a text of the row differs from its stored bytes. The first column is the id. */
export async function requireAsWritten(
  sql: Sql,
  table: string,
  columns: string,
  row: Row,
): Promise<void> {
  for (const [index, column] of columns.split(', ').entries()) {
    const text = row[index]
    if (typeof text !== 'string' || !text.includes(replacement)) continue
    const [stored] = await sql.all<[string, bigint]>(
      `select ${column}, case when ${column} = ?2 then 1 else 0 end from ${table} where id = ?1`,
      [row[0] ?? null, text],
    )
    // A text that differs now was changed in between.
    if (stored?.[0] === text && stored[1] === 0n) throw new DamagedRow(table, row[0], column)
  }
}
