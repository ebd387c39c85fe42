import type { Sql } from '../db.ts'
import type { Step } from '../lists/steps.ts'

/** The ids in a step that no row of another table has. */
export async function selectOrphans(
  sql: Sql,
  table: string,
  step: Step,
  owners: string,
): Promise<bigint[]> {
  const rows = await sql.all<[bigint]>(
    `select id from ${table} where id > ?1 and id <= ?2
      and not exists (select 1 from ${owners} where ${owners}.id = ${table}.id) order by id`,
    [step.after, step.last],
  )
  return rows.map(([id]) => id)
}
