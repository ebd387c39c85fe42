import type { Row } from '../db.ts'
import { rowsOf } from '../lists/steps.ts'
import { DamagedRow, orDamage } from '../records/damaged-row.ts'
import { type Check, defineCheck, findingOf } from '../storage.ts'

type Records = {
  table: string
  columns: string
  itemOf(row: Row): unknown
  stepMax?: number
  /** What a repair does. */
  repair?: string
}

/** Checks that the rows of these tables can be read. */
export function readableCheck(name: string, promise: string, tables: readonly Records[]): Check {
  return defineCheck({
    name,
    promise,
    async *find(sql, checkTime) {
      for (const { table, columns, itemOf, stepMax, repair } of tables) {
        const read = { table, columns: [columns], ...(stepMax && { stepMax }) }
        for await (const rows of rowsOf(sql, read, checkTime)) {
          for (const row of rows) {
            const id = row[0] as bigint
            const found = orDamage<unknown>(() => itemOf(row))
            if (!(found instanceof DamagedRow)) continue
            const message = `Row ${id} of ${table} has invalid values: ${found.columns}.`
            yield findingOf(table, id, message, repair)
          }
        }
      }
    },
  })
}
