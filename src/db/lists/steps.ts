import type { Row, Sql } from '../db.ts'

/** Rows between two checks of the deadline. */
export const scanStep = 20_000

/** Adjacent rows: ids above `after`, up to `last`. */
export type Step = { after: bigint; last: bigint }

const firstId = -(2n ** 63n)

/** Walks a table in steps of ids. Each step has its own snapshot: one snapshot for all would block the checkpoint. */
export async function* stepsOf(
  sql: Sql,
  table: string,
  checkTime: () => void,
  stepMax = scanStep,
): AsyncGenerator<Step> {
  let after = firstId
  for (;;) {
    checkTime()
    const [row] = await sql.all<[bigint | null]>(
      `select max(id) from (select id from ${table} where id > ?1 order by id limit ${stepMax}) as step`,
      [after],
    )
    const last = row?.[0] ?? null
    // Rows of a damaged table may be out of order, which the check of the files reports; this walk would not end.
    if (last === null || last <= after) return
    yield { after, last }
    after = last
  }
}

/** The rows of a table in order of ids, a step of them at a time. */
export async function* rowsOf<R extends Row>(
  sql: Sql,
  { table, columns, stepMax }: { table: string; columns: readonly string[]; stepMax?: number },
  checkTime: () => void,
): AsyncGenerator<R[]> {
  const select = `select ${columns.join(', ')} from ${table} where id > ?1 and id <= ?2 order by id`
  for await (const { after, last } of stepsOf(sql, table, checkTime, stepMax))
    yield await sql.all<R>(select, [after, last])
}

/** The last assigned id of a table, at least its highest id. */
export async function selectLastGiven(sql: Sql, table: string): Promise<bigint> {
  const allocated = await sql.lastId(table)
  const last = (await selectLastRow(sql, table)) ?? 0n
  return last > allocated ? last : allocated
}

/** The highest id of a table; null where it is empty. */
export async function selectLastRow(sql: Pick<Sql, 'all'>, table: string): Promise<bigint | null> {
  const [row] = await sql.all<[bigint | null]>(`select max(id) from ${table}`)
  return row?.[0] ?? null
}
