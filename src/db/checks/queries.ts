import type { Row, Sql, Value } from '../db.ts'
import type { Step } from '../lists/steps.ts'

/** A column with text of clients. */
export type TextColumn = { table: string; column: string }

type Text = { id: bigint; text: string }

export async function selectTexts(
  sql: Sql,
  { after, last }: Step,
  { table, column }: TextColumn,
): Promise<Text[]> {
  const rows = await sql.all<[bigint, string]>(
    `select id, ${column} from ${table}
    where id > ?1 and id <= ?2 and ${column} is not null order by id`,
    [after, last],
  )
  return rows.map(([id, text]) => ({ id, text }))
}

/** Whether the stored bytes equal the text that was read: invalid UTF-8 is read with replacement characters. */
export async function selectIsText(
  sql: Sql,
  { table, column }: TextColumn,
  { id, text }: Text,
): Promise<boolean> {
  const rows = await sql.all(`select 1 from ${table} where id = ?1 and ${column} <> ?2`, [id, text])
  return rows.length === 0
}

/** A column that the service computes from another column of its row. */
export type ComputedColumn = {
  table: string
  name: string
  from: string
  compute(text: string): string
  isUnique?: true
}
type ComputedValue = { id: bigint; source: string | null; value: string }

export async function selectComputed(
  sql: Sql,
  { table, name, from }: ComputedColumn,
  { after, last }: Step,
): Promise<ComputedValue[]> {
  const rows = await sql.all(
    `select id, ${from}, ${name} from ${table} where id > ?1 and id <= ?2 order by id`,
    [after, last],
  )
  return rows.map(computedValueOf)
}

export async function lockComputed(
  sql: Sql,
  { table, name, from }: ComputedColumn,
  id: bigint,
): Promise<ComputedValue | undefined> {
  const [row] = await sql.all(
    `select id, ${from}, ${name} from ${table} where id = ?1${sql.forUpdate}`,
    [id],
  )
  return row && computedValueOf(row)
}

function computedValueOf(row: Row): ComputedValue {
  const [id, source, value] = row as [bigint, string | null, string]
  return { id, source, value }
}

export async function selectIsTaken(
  sql: Sql,
  { table, name }: ComputedColumn,
  value: string,
): Promise<boolean> {
  const rows = await sql.all(`select 1 from ${table} where ${name} = ?1`, [value])
  return rows.length > 0
}

export async function updateComputed(
  sql: Sql,
  { table, name }: ComputedColumn,
  id: bigint,
  value: string,
): Promise<void> {
  await sql.all(`update ${table} set ${name} = ?2 where id = ?1`, [id, value])
}

/** All columns of one step of rows, in the given order. */
export async function selectRows(
  sql: Sql,
  table: string,
  columns: readonly string[],
  { after, last }: Step,
): Promise<Value[][]> {
  return sql.all(
    `select ${columns.join(', ')} from ${table} where id > ?1 and id <= ?2 order by id`,
    [after, last],
  )
}
