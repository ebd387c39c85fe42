import type { Row, Sql } from '../../db/db.ts'
import { selectEnvironment } from '../../features/environment/queries.ts'
import { selectLastBackup } from '../backup/queries.ts'

/** What a store says of itself; a store of an older version says less. */
export type StoreContents = {
  owner: string | undefined
  /** The keys that may be used now, and all that were ever issued. */
  keys: { valid: number; issued: number }
  newestMs: number | undefined
  lastBackup: { madeAtMs: number; file: string } | undefined
}

/** Reads from the tables that are there. */
export const selectContents =
  (nowMs: number) =>
  async (sql: Sql, tables: ReadonlySet<string>): Promise<StoreContents> => {
    const [owner] = tables.has('environment') ? await selectEnvironment.run(sql, [undefined]) : []
    const keys = tables.has('keys')
      ? await selectKeys(sql, nowMs)
      : { valid: 0, issued: 0, used: [] }
    const instants = [
      ...keys.used,
      ...(tables.has('orders') ? await newestOf(sql, newestOrder) : []),
      ...(tables.has('readiness') ? await newestOf(sql, lastProbe) : []),
    ]
    const [backup] = tables.has('last_backup') ? await selectLastBackup.run(sql, [undefined]) : []
    return {
      owner: typeof owner === 'string' ? owner : undefined,
      keys: { valid: keys.valid, issued: keys.issued },
      newestMs: instants.length === 0 ? undefined : Math.max(...instants),
      lastBackup:
        backup && 'file' in backup
          ? { madeAtMs: Number(backup.madeAt), file: backup.file }
          : undefined,
    }
  }

async function selectKeys(sql: Sql, nowMs: number) {
  const [row = []] = await sql.all(
    `select count(*), max(created_at), max(last_used_at),
    sum(case when revoked_at is null and (expires_at is null or expires_at > ?1) then 1 else 0 end) from keys`,
    [nowMs],
  )
  const [issued, createdAt, lastUsedAt, valid] = row
  const used = [createdAt, lastUsedAt].flatMap((ms) => (typeof ms === 'bigint' ? Number(ms) : []))
  return { valid: Number(valid), issued: Number(issued), used }
}

const newestOrder = 'select created_at from orders order by id desc limit 1'
const lastProbe = 'select probed_at from readiness where probed_at > 0'

async function newestOf(sql: Sql, text: string): Promise<number[]> {
  const rows: Row[] = await sql.all(text)
  return rows.map(([instant]) => Number(instant))
}
