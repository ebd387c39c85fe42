import type { Column, Row, Sql } from '../db.ts'

// Sequences give ids before the commit, so a lower one may become visible after a higher one. The ids of such a table
// follow from the number of their transaction instead: 65,536 for each, counted from an anchor. All of them up to the
// oldest transaction that still runs are settled.

type Statements = Pick<Sql, 'all' | 'rows'>

const idsPerTransaction = 65_536

/** Transactions that may have begun before the ids are anchored anew, and add rows after it. */
const anchorMargin = 10_000

const thisTransaction = 'pg_current_xact_id()::text::bigint'

/** Inserts rows with the ids of this transaction; once in a transaction. */
export async function insertInOrder(
  sql: Statements,
  table: string,
  columns: readonly Column[],
  rows: readonly Row[],
): Promise<void> {
  if (rows.length > idsPerTransaction) {
    throw new Error(`A transaction has ${rows.length} rows for ${table}.`)
  }
  const names = columns.map(({ name }) => name).join(', ')
  const numbered = [...columns, { name: 'position', type: 'bigint' } as const]
  const { from, parameters } = sql.rows(
    numbered,
    rows.map((row, index) => [...row, index]),
  )
  await sql.all(
    `insert into ${table} (id, ${names})
    select anchor_id + (${thisTransaction} - anchor_transaction) * ${idsPerTransaction} + position + 1, ${names}
    from ${from} cross join ${table}_order as ids`,
    parameters,
  )
}

/**
 * The id up to which all rows are visible to the next statement. Transactions of other databases add no rows here, so
 * only those of this one count.
 */
export async function settledId(sql: Pick<Sql, 'all'>, table: string): Promise<bigint> {
  const [row] = await sql.all<[bigint]>(
    `select anchor_id + (least(next, min(next - behind)) - anchor_transaction) * ${idsPerTransaction}
    from ${table}_order, (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next) as snapshot
    left join lateral (
      -- The number of a running transaction has 32 bits; it is less than 2^31 away from the next.
      select (next - backend_xid::text::bigint + 2147483648) % 4294967296 - 2147483648 as behind
      from pg_stat_activity where datname = current_database() and backend_xid is not null
    ) as running on true
    group by anchor_id, anchor_transaction, next`,
  )
  return row?.[0] ?? 0n
}

/** Anchors the ids above this one: the next transaction gets higher ones. */
export async function anchorIds(sql: Pick<Sql, 'all'>, table: string, last: bigint): Promise<void> {
  await sql.all(
    `update ${table}_order set anchor_transaction = ${thisTransaction},
      anchor_id = ?1 + ${anchorMargin * idsPerTransaction}
    where anchor_id + (${thisTransaction} - anchor_transaction) * ${idsPerTransaction} <= ?1`,
    [last],
  )
}
