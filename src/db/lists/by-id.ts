import { isCertain, requireAsWritten } from '../as-written.ts'
import { DamagedRow } from '../damaged-row.ts'
import type { Query, Row, Sql } from '../db.ts'

/** Records of one table. The first of their columns is the id. `itemOf` throws DamagedRow. */
type Records<Item> = { table: string; columns: string; itemOf(row: Row): Item }

/** The query of one record by its id. Concurrent reads share a statement; damage fails only its own read. */
export function queryById<Item>(records: Records<Item>): Query<bigint, Item | undefined> {
  const { table, columns } = records
  return {
    key: (id) => id,
    async run(sql, ids) {
      const rows = await sql.all(
        `select ${columns} from ${table} where ${sql.isAnyOf('id', '?1')}`,
        [sql.set(ids)],
      )
      const found = new Map<bigint, Item | DamagedRow>()
      for (const row of rows) {
        const item = itemOrDamage(records, row)
        found.set(row[0] as bigint, isCertain(row) ? item : await readClosely(sql, records, row))
      }
      return ids.map((id) => found.get(id))
    },
  }
}

function itemOrDamage<Item>({ itemOf }: Records<Item>, row: Row): Item | DamagedRow {
  try {
    return itemOf(row)
  } catch (error) {
    if (error instanceof DamagedRow) return error
    throw error
  }
}

async function readClosely<Item>(
  sql: Sql,
  records: Records<Item>,
  row: Row,
): Promise<Item | DamagedRow> {
  try {
    await requireAsWritten(sql, records.table, records.columns, row)
    return records.itemOf(row)
  } catch (error) {
    if (error instanceof DamagedRow) return error
    throw error
  }
}
