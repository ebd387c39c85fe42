import type { Query, Row, Sql } from '../db.ts'
import { type DamagedRow, orDamage } from '../records/damaged-row.ts'

/** Records of one table. The first of their columns is the id. `itemOf` throws DamagedRow. */
type Records<Item> = { table: string; columns: string; itemOf(row: Row): Item }

/** The query of one record by its id. Concurrent reads share a statement; damage fails only its own read. */
export function queryById<Item>(records: Records<Item>): Query<bigint, Item | undefined> {
  const { table, columns, itemOf } = records
  return {
    key: (id) => id,
    async run(sql, ids) {
      const rows = await sql.all(
        `select ${columns} from ${table} where ${sql.isAnyOf('id', '?1')}`,
        [sql.set(ids)],
      )
      const found = new Map<bigint, Item | DamagedRow>()
      for (const row of rows) {
        found.set(
          row[0] as bigint,
          orDamage(() => itemOf(row)),
        )
      }
      return ids.map((id) => found.get(id))
    },
  }
}

/** Records by their ids; missing ones are omitted. Throws DamagedRow. */
export async function selectByIds<Item>(
  sql: Sql,
  { table, columns, itemOf }: Records<Item>,
  ids: readonly bigint[],
): Promise<Map<bigint, Item>> {
  const rows = await sql.all(`select ${columns} from ${table} where ${sql.isAnyOf('id', '?1')}`, [
    sql.set(ids),
  ])
  return new Map(rows.map((row) => [row[0] as bigint, itemOf(row)]))
}

/** Locks rows in the order of ids; returns the ids of those that there are. */
export async function lockRows(
  sql: Sql,
  table: string,
  ids: readonly bigint[],
): Promise<Set<bigint>> {
  const rows = await sql.all<[bigint]>(
    `select id from ${table} where ${sql.isAnyOf('id', '?1')} order by id${sql.forUpdate}`,
    [sql.set(ids)],
  )
  return new Set(rows.map(([id]) => id))
}

/** One record, locked until the transaction ends; undefined where there is none. Throws DamagedRow. */
export async function lockById<Item>(
  sql: Sql,
  { table, columns, itemOf }: Records<Item>,
  id: bigint,
): Promise<Item | undefined> {
  const [row] = await sql.all(`select ${columns} from ${table} where id = ?1${sql.forUpdate}`, [id])
  return row && itemOf(row)
}
