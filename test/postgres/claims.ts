import type pg from 'pg'
import type { IdempotencyClaim } from '../../src/db/db.ts'

const operation = 'any'
const fingerprint = Buffer.alloc(32)

/** A claim of the first key, for a day. */
export function claimOf(key: string, now = Date.now()): IdempotencyClaim {
  const expiresAt = now + 86_400_000
  return { keyId: 1n, operation, key, fingerprint, now, expiresAt, isWithheld: false }
}

/** Takes the claim in the transaction of a session, as another process does. */
export async function insertClaim(session: pg.Client, key: string): Promise<void> {
  await session.query(
    `insert into idempotency_keys (key_id, operation, key, fingerprint, answer, expires_at)
    values (1, '${operation}', $1, $2, 'null', $3)`,
    [key, fingerprint, Date.now()],
  )
}
