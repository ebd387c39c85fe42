import { oneByOne, type Scan } from '../db.ts'
import { defineStorage } from '../storage.ts'

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

/** How many results are stored for each API key, and how much room they take. */
export const countResults: Scan<
  { now: number },
  { keyId: bigint; count: number; bytes: number }[]
> = {
  name: 'countIdempotencyKeys',
  // Apart from other scans, which would wait for it.
  isSnapshot: true,
  async run(sql, { now }) {
    const rows = await sql.all<[bigint, bigint, bigint]>(
      // `+`: otherwise SQLite takes the order of the table for the groups, and reads all results.
      `select +key_id, count(*), cast(sum(bytes) as bigint) from idempotency_keys
      where expires_at > ?1 group by 1`,
      [now],
    )
    return rows.map(([keyId, count, bytes]) => ({
      keyId,
      count: Number(count),
      bytes: Number(bytes),
    }))
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
