import type { Sql } from '../../db/db.ts'
import { findOutbox } from '../events/outbox/outbox.ts'
import { updateMissed } from './queries.ts'

/** Webhooks get no events from now on: each says from where what it misses can be replayed. */
export async function noteMissed(sql: Sql, ids: readonly bigint[]): Promise<void> {
  const outbox = await findOutbox(sql)
  if (outbox) await updateMissed(sql, ids, outbox.fannedOutTo ?? outbox.newest)
}
