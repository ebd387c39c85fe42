import type { Column, Row, SettledIds, Sql } from '../db.ts'

// A sequence gives ids before the commit, so a lower one may become visible after a higher one. So each transaction first
// locks the highest id that is visible to it: its own ids are higher. Up to the lowest locked one no id will appear any
// more. Locks are released after their transaction has become visible.

/** Advisory locks from this number on are those of ids. */
const lockBase = 2n ** 62n

/** Inserts rows, with ids in the order of their transactions where these change the same records. */
export async function insertInOrder(
  sql: Pick<Sql, 'all' | 'rows'>,
  table: string,
  columns: readonly Column[],
  rows: readonly Row[],
): Promise<void> {
  const names = columns.map(({ name }) => name).join(', ')
  const { from, parameters } = sql.rows(columns, rows)
  await sql.all(
    `with locked as materialized (
      select pg_advisory_xact_lock_shared(${lockBase} + last)
      from (select coalesce(max(id), 0) as last from ${table}) as highest
    )
    insert into ${table} (${names}) select ${names} from locked cross join ${from}`,
    parameters,
  )
}

/** The rows are read in the snapshot of the statement, so before the locks. */
export async function settledIds(sql: Pick<Sql, 'all'>, table: string): Promise<SettledIds> {
  const [row] = await sql.all<[bigint, bigint | null]>(
    `select coalesce(max(id), 0), (
      select min(classid::bigint * 4294967296 + objid::bigint) from pg_locks
      where locktype = 'advisory' and objsubid = 1 and classid::bigint >= ${lockBase >> 32n}
        and database = (select oid from pg_database where datname = current_database())
    ) from ${table}`,
  )
  const [last = 0n, lock = null] = row ?? []
  const locked = lock === null ? last : lock - lockBase
  return { last, settled: locked < last ? locked : last }
}
