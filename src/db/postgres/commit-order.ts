import { sleep } from '../../timers.ts'
import type { Row, SettledIds, Sql } from '../db.ts'

// A sequence gives ids before the commit, so a lower one may become visible after a higher one. So each transaction first
// locks the highest id that is visible to it: its own ids are higher. Up to the lowest locked one no id will appear any
// more. Locks are released after their transaction has become visible.

/** Advisory locks from this number on are those of ids. */
const lockBase = 2n ** 62n

/** The ids that are locked now. Other programs may lock any number, negative ones too. */
const lockedIds = `select (classid::bigint << 32 | objid::bigint) - ${lockBase} as id from pg_locks
    where locktype = 'advisory' and objsubid = 1 and classid::bigint between ${lockBase >> 32n} and ${(lockBase >> 31n) - 1n}
      and database = (select oid from pg_database where datname = current_database())`

/** The lock, as a common table expression that the insert reads. */
const lockedIn = (table: string) => `locked as materialized (
    select pg_advisory_xact_lock_shared(${lockBase} + last)
    from (select coalesce(max(id), 0) as last from ${table}) as highest
  )`

/** Inserts rows, with ids in the order of their transactions where these change the same records. */
export async function insertInOrder(
  sql: Pick<Sql, 'all' | 'rows'>,
  ...[table, columns, rows]: Parameters<Sql['insertInOrder']>
): Promise<void> {
  const names = columns.map(({ name }) => name).join(', ')
  const { from, parameters } = sql.rows(columns, rows)
  await sql.all(
    `with ${lockedIn(table)} insert into ${table} (${names}) select ${names} from locked cross join ${from}`,
    parameters,
  )
}

/**
 * Inserts rows and their log, whose texts get the new ids as their first members. Nobody else can have changed new records, so
 * the rest of the transaction may follow.
 */
export async function insertLogged(
  sql: Pick<Sql, 'all' | 'rows'>,
  ...[table, columns, rows, log]: Parameters<NonNullable<Sql['insertLogged']>>
): Promise<bigint[]> {
  const bound = log.columns.map((column) => ({ ...column, name: `log_${column.name}` }))
  const { from, parameters } = sql.rows(
    [...columns, ...bound],
    rows.map((row, index) => [...row, ...(log.rows[index] as Row)]),
  )
  const names = columns.map(({ name }) => name).join(', ')
  const logged = log.columns.map(({ name }) => name)
  const own: Record<string, string> = {
    record_id: 'id',
    data: `'{"id":' || id || ',' || substr(log_data, 2)`,
  }
  const values = logged.map((name) => own[name] ?? `log_${name}`)
  // Rows get ascending ids in their order, which is how a row and its id find each other.
  const created = await sql.all<[bigint]>(
    `with ${lockedIn(log.table)}, new as materialized (
      select *, row_number() over () as place from ${from}
    ), inserted as (
      insert into ${table} (${names}) select ${names} from new order by place returning id
    ), numbered as (
      select id, row_number() over (order by id) as place from inserted
    ), logged as (
      insert into ${log.table} (${logged.join(', ')}) select ${values.join(', ')}
      from locked cross join numbered join new using (place) order by place
    )
    select id from inserted order by id`,
    parameters,
  )
  return created.map(([id]) => id)
}

/** The rows are read in the snapshot of the statement, so before the locks. */
export async function settledIds(sql: Pick<Sql, 'all'>, table: string): Promise<SettledIds> {
  const [row] = await sql.all<[bigint, bigint | null]>(
    `select coalesce(max(id), 0), (select min(id) from (${lockedIds}) as locked) from ${table}`,
  )
  const [last = 0n, lowest = null] = row ?? []
  const locked = lowest ?? last
  return { last, settled: locked < last ? locked : last }
}

const waitMs = 10
const waitsMax = 100

/** A transaction locks the table before it gets ids, until they are visible. */
export async function writersEnded(sql: Pick<Sql, 'all'>, table: string): Promise<boolean> {
  const selectWriters = `select coalesce(string_agg(virtualtransaction, ' '), '') from pg_locks
    where relation = to_regclass(?1) and mode = 'RowExclusiveLock' and granted and pid is distinct from pg_backend_pid()`
  const [first] = await sql.all<[string]>(selectWriters, [table])
  const writers = first?.[0] ?? ''
  for (let waits = 0; waits < waitsMax; waits++) {
    const [left] = await sql.all<[string]>(
      `${selectWriters} and virtualtransaction = any(string_to_array(?2, ' '))`,
      [table, writers],
    )
    if (left?.[0] === '') return true
    await sleep(waitMs)
  }
  return false
}
