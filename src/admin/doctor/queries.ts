import type { Sql } from '../../db/db.ts'
import { selectEnvironment } from '../../features/environment/queries.ts'
import { selectPaused } from '../../features/webhooks/queries.ts'
import { selectLastBackup } from '../backup/queries.ts'

/** What a store says of itself; a store of an older version says less. */
export type StoreContents = {
  owner: string | undefined
  /** The keys that may be used now, and all that the store has. */
  keys: { valid: number; issued: number }
  webhooks: { count: number; paused: number }
  lastBackup: { madeAtMs: number; file: string } | undefined
}

/** Reads from the tables that are there. */
export const selectContents =
  (nowMs: number) =>
  async (sql: Sql, tables: ReadonlySet<string>): Promise<StoreContents> => {
    const [owner] = tables.has('environment') ? await selectEnvironment.run(sql, [undefined]) : []
    const keys = tables.has('keys') ? await selectKeys(sql, nowMs) : { valid: 0, issued: 0 }
    const [backup] = tables.has('last_backup') ? await selectLastBackup.run(sql, [undefined]) : []
    const webhooks = tables.has('webhooks') ? await selectWebhooks(sql) : { count: 0, paused: 0 }
    return {
      webhooks,
      owner: typeof owner === 'string' ? owner : undefined,
      keys,
      lastBackup:
        backup && 'file' in backup
          ? { madeAtMs: Number(backup.madeAt), file: backup.file }
          : undefined,
    }
  }

async function selectKeys(sql: Sql, nowMs: number) {
  const [[issued, valid] = [0n, 0n]] = await sql.all<[bigint, bigint | null]>(
    `select count(*),
    sum(case when revoked_at is null and (expires_at is null or expires_at > ?1) then 1 else 0 end) from keys`,
    [nowMs],
  )
  return { valid: Number(valid), issued: Number(issued) }
}

async function selectWebhooks(sql: Sql) {
  const [[count] = [0n]] = await sql.all<[bigint]>('select count(*) from webhooks')
  const [paused] = await selectPaused.run(sql, [undefined])
  return { count: Number(count), paused: Number(paused) }
}
