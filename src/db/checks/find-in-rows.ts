import type { Row, ScanSql } from '../db.ts'
import { rowsOf } from '../lists/steps.ts'
import type { Finding } from '../storage.ts'

/** Columns of a table whose rows are checked; the id is among them. */
export type CheckedColumns = { table: string; columns: readonly string[] }

/** What is found in each row of these columns. */
export async function findInRows<C extends CheckedColumns, R extends Row>(
  sql: ScanSql,
  parts: readonly C[],
  checkTime: () => void,
  find: (part: C, row: R) => readonly Finding[] | Promise<readonly Finding[]>,
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const part of parts) {
    for await (const rows of rowsOf<R>(sql, part, checkTime)) {
      for (const row of rows) findings.push(...(await find(part, row)))
    }
  }
  return findings
}
