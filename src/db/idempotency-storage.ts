import { oneByOne, type Scan } from './db.ts'
import { defineStorage } from './storage.ts'

/** The most keys that one transaction deletes. */
const forgottenMax = 1_000

/** Deletes expired keys, one step at a time; returns whether more may be left. */
const deleteExpiredKeys = oneByOne<number, boolean>({
  name: 'deleteExpiredKeys',
  async run(sql, now) {
    const rows = await sql.all(
      `delete from idempotency_keys where (key_id, operation, key) in
        (select key_id, operation, key from idempotency_keys where expires_at <= ?1
        order by expires_at limit ${forgottenMax})
      returning key_id`,
      [now],
    )
    return rows.length === forgottenMax
  },
})

/** How many results are stored for an API key, counted up to a maximum. */
export const countResults: Scan<{ keyId: bigint; max: number }, number> = {
  name: 'countIdempotencyKeys',
  async run(sql, { keyId, max }) {
    const [row] = await sql.all<[bigint]>(
      'select count(*) from (select 1 from idempotency_keys where key_id = ?1 limit ?2) as counted',
      [keyId, max],
    )
    return Number(row?.[0])
  },
}

/** The stored responses of idempotent requests. */
export const idempotencyStorage = defineStorage({
  tables: [{ name: 'idempotency_keys' }],
  writes: [deleteExpiredKeys],
  scans: [countResults],
  jobs: [
    {
      name: 'forgetIdempotencyKeys',
      intervalMs: 10_000,
      runStep: (db, nowMs) => db.write(deleteExpiredKeys, nowMs),
    },
  ],
})
