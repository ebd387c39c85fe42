import type { Sql } from '../../db/seam.ts'
import type { Step } from '../queries.ts'

/** A column with words of clients; `name` is what people call it. */
export type TextColumn = { table: string; column: string; name: string }

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

/** Whether what is stored is what was read: bytes that are no text are read as others. */
export async function selectIsText(
  sql: Sql,
  { table, column }: TextColumn,
  { id, text }: Text,
): Promise<boolean> {
  const rows = await sql.all(`select 1 from ${table} where id = ?1 and ${column} <> ?2`, [id, text])
  return rows.length === 0
}

type KeyValues = { id: bigint; scopes: string; instants: Record<string, bigint | null> }

/** Of each key what its scopes are, and its instants in milliseconds since 1970, by column. */
export async function selectKeyValues(sql: Sql, { after, last }: Step): Promise<KeyValues[]> {
  const rows = await sql.all<[bigint, string, bigint, bigint | null, bigint | null, bigint | null]>(
    `select id, scopes, created_at, expires_at, last_used_at, revoked_at
    from keys where id > ?1 and id <= ?2 order by id`,
    [after, last],
  )
  return rows.map(([id, scopes, created_at, expires_at, last_used_at, revoked_at]) => ({
    id,
    scopes,
    instants: { created_at, expires_at, last_used_at, revoked_at },
  }))
}

/** A column that the database derives from others of the same row, and the rule of the migration 0006 for it. */
type Derivation = { table: string; column: string; rule: string }

const statusRule = `case
  when stated is null or stated <> 'available' then stated
  when on_hand > reserved then 'available'
  when reserved > 0 then 'pending'
  else 'sold'
end`

export const derivations: readonly Derivation[] = [
  { table: 'pets', column: 'status', rule: statusRule },
  {
    table: 'pets',
    column: 'record',
    rule: String.raw`'{"id":' || cast(id as text) ||
      ',"name":"' || replace(replace(name, '\', '\\'), '"', '\"') ||
      '","categoryId":' || cast(category_id as text) ||
      coalesce(',"status":"' || ${statusRule} || '"', '') || '}'`,
  },
  {
    table: 'orders',
    column: 'due_at',
    rule: "case when status = 'pending' then expires_at end",
  },
]

type Derived = { id: bigint; value: string | bigint | null; expected: string | bigint | null }

/** Rows whose column is not what the rule makes of them. */
export async function selectWrongDerived(
  sql: Sql,
  { after, last }: Step,
  { table, column, rule }: Derivation,
): Promise<Derived[]> {
  const rows = await sql.all<[bigint, string | bigint | null, string | bigint | null]>(
    `select id, ${column}, expected
    from (select id, ${column}, ${rule} as expected from ${table} where id > ?1 and id <= ?2) as step
    where ${column} is distinct from expected order by id`,
    [after, last],
  )
  return rows.map(([id, value, expected]) => ({ id, value, expected }))
}
