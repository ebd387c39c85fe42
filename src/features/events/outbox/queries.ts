import type { Sql } from '../../../db/db.ts'

/** An event of the outbox: what decides who gets it. */
export type OutboxEvent = { id: bigint; type: string; recordId: bigint }

/** Up to where events are deleted, and up to where they have become deliveries. `lock` is the suffix that locks the row. */
export async function selectOutbox(sql: Sql, lock: string) {
  const [row] = await sql.all<[bigint, bigint | null]>(
    `select pruned_to, fanned_out_to from events_feed${lock}`,
  )
  return row
}

export async function updateOutbox(sql: Sql, fannedOutTo: bigint | null): Promise<void> {
  await sql.all('update events_feed set fanned_out_to = ?1', [fannedOutTo])
}

/** Whether there are events that have not become deliveries; on PostgreSQL also some that cannot be read in order yet. */
export async function hasUnsent(sql: Sql): Promise<boolean> {
  const rows = await sql.all(
    `select 1 from events_feed where fanned_out_to is not null
    and fanned_out_to < (select max(id) from events)`,
  )
  return rows.length > 0
}

export async function selectRange(
  sql: Sql,
  { after, until, limit }: { after: bigint; until: bigint; limit: number },
): Promise<OutboxEvent[]> {
  const rows = await sql.all<[bigint, string, bigint]>(
    'select id, type, record_id from events where id > ?1 and id <= ?2 order by id limit ?3 + 0',
    [after, until, limit],
  )
  return rows.map(([id, type, recordId]) => ({ id, type, recordId }))
}
