import type { Query, Row } from './seam.ts'

/** Records of one table. The first of their columns is the id. */
type Records<Item> = { table: string; columns: string; itemOf(row: Row): Item }

/** The query that answers one record by its id; all that are asked for at once travel as one. */
export function queryById<Item>({
  table,
  columns,
  itemOf,
}: Records<Item>): Query<bigint, Item | undefined> {
  return {
    key: (id) => id,
    async run(sql, ids) {
      const rows = await sql.all(
        `select ${columns} from ${table} where ${sql.isAnyOf('id', '?1')}`,
        [sql.set(ids)],
      )
      const found = new Map(rows.map((row) => [row[0] as bigint, itemOf(row)]))
      return ids.map((id) => found.get(id))
    },
  }
}
