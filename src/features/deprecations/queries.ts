import { oneByOne } from '../../db/db.ts'
import { columnsOf, queryOnce } from '../../db/records/rows.ts'

/** Calls of a deprecated operation by a key on a day, counted from 1970-01-01 in UTC. */
type DeprecatedCalls = { day: number; operation: string; keyId: bigint; calls: number }

/** How long they are kept: longer than operations stay between their deprecation and their removal. */
const keptDays = 400

/** Adds calls to those of the same day, operation and key. All are of one day. */
export const addDeprecatedCalls = oneByOne<readonly DeprecatedCalls[], null>({
  name: 'addDeprecatedCalls',
  async run(sql, calls) {
    const day = calls[0]?.day ?? 0
    const { from, parameters } = sql.rows(
      [...columnsOf('bigint', 'day', 'key_id', 'calls'), ...columnsOf('text', 'operation')],
      calls.map((one) => [BigInt(one.day), one.keyId, BigInt(one.calls), one.operation]),
    )
    await sql.all(
      `insert into deprecated_calls (day, operation, key_id, calls)
      select day, operation, key_id, calls from ${from} where true order by operation, key_id
      on conflict (day, operation, key_id) do update set calls = deprecated_calls.calls + excluded.calls`,
      parameters,
    )
    await sql.all('delete from deprecated_calls where day < ?1', [BigInt(day - keptDays)])
    return null
  },
})

/** All that are kept, the latest day first; `day` as 2026-11-23. */
export const selectDeprecatedCalls = queryOnce(async (sql) => {
  const rows = await sql.all<[bigint, string, bigint, bigint]>(
    'select day, operation, key_id, calls from deprecated_calls order by day desc, operation, key_id',
  )
  return rows.map(([day, operation, keyId, calls]) => ({
    day: new Date(Number(day) * 86_400_000).toISOString().slice(0, 10),
    operation,
    keyId,
    calls: Number(calls),
  }))
})
