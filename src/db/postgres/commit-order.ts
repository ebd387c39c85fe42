import type { Column, Row, Sql } from '../db.ts'

// A sequence gives ids before the commit, so a lower one may become visible after a higher one. So each transaction first
// locks the last id that the sequence had given before it: its own ids are higher. Up to the lowest locked one no id will
// appear any more. Locks are released after their transaction has become visible.

type Statements = Pick<Sql, 'all' | 'rows'>

/** Advisory locks above this number are those of last ids. */
const lockBase = 2n ** 62n

const lastOf = (sequence: string) =>
  `(select case when is_called then last_value else last_value - 1 end as last from ${sequence})`

/** Inserts rows, with ids in the order of their transactions where these change the same records. */
export async function insertInOrder(
  sql: Statements,
  table: string,
  columns: readonly Column[],
  rows: readonly Row[],
): Promise<void> {
  const names = columns.map(({ name }) => name).join(', ')
  const { from, parameters } = sql.rows(columns, rows)
  await sql.all(
    `with locked as materialized (
      select pg_advisory_xact_lock_shared(${lockBase} + last) from ${lastOf(`${table}_id_seq`)} as given
    )
    insert into ${table} (id, ${names})
    select nextval('${table}_id_seq'), ${names} from locked cross join ${from}`,
    parameters,
  )
}

/** The id up to which all rows are visible to the next statement. */
export async function settledId(sql: Pick<Sql, 'all'>, table: string): Promise<bigint> {
  const [given] = await sql.all<[bigint]>(`select last from ${lastOf(`${table}_id_seq`)} as given`)
  const [locked] = await sql.all<[bigint | null]>(
    `select min(classid::bigint * 4294967296 + objid::bigint) from pg_locks
    where locktype = 'advisory' and objsubid = 1 and classid::bigint >= ${lockBase >> 32n}
      and database = (select oid from pg_database where datname = current_database())`,
  )
  const last = given?.[0] ?? 0n
  const lowest = locked?.[0] ?? null
  return lowest !== null && lowest - lockBase < last ? lowest - lockBase : last
}
