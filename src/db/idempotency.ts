import { decodeTagged, encodeTagged } from '../contract/int64-json.ts'
import type { IdempotencyClaim, Replayable, Row, Sql, Transaction, Write } from './db.ts'
import { LockTimeout, Refusal } from './errors.ts'
import { runOne } from './run-one.ts'

/**
 * A transaction that runs a write once for each key. It claims the key first, so a concurrent repetition waits, and
 * stores the result in the same transaction.
 */
export function idempotent<I, V>(
  write: Write<I, V>,
  claim: IdempotencyClaim,
): Transaction<I, Replayable<V>> {
  return {
    name: write.name,
    async run(sql, input) {
      const earlier = await claimKey(sql, claim)
      if (earlier) return earlier as Replayable<V>
      const value = await runOne(write, sql, input)
      await storeResult(sql, claim, claim.isWithheld ? withheld : value)
      return { value, isReplayed: false }
    },
  }
}

/** Returns undefined when claimed, else the stored result. Throws `Refusal`. */
async function claimKey(
  sql: Sql,
  claim: IdempotencyClaim,
): Promise<Replayable<unknown> | undefined> {
  const claimId = [claim.keyId, claim.operation, claim.key]
  try {
    await sql.all(
      'delete from idempotency_keys where key_id = ?1 and operation = ?2 and key = ?3 and expires_at <= ?4',
      [...claimId, claim.now],
    )
    const claimed = await sql.all(
      `insert into idempotency_keys (key_id, operation, key, fingerprint, expires_at)
      values (?1, ?2, ?3, ?4, ?5) on conflict do nothing returning key_id`,
      [...claimId, claim.fingerprint, claim.expiresAt],
    )
    if (claimed.length > 0) return undefined
    // Locked, so that the commit waits for synchronous standbys: the commit of the first request may still be
    // unconfirmed.
    const [row] = await sql.all<[Uint8Array, string | null]>(
      `select fingerprint, answer from idempotency_keys
      where key_id = ?1 and operation = ?2 and key = ?3${sql.forUpdate}`,
      claimId,
    )
    // Without a row, the earlier claim has expired, and another request or the sweep has just deleted it.
    if (!row) throw keyInUse()
    return replay(row, claim)
  } catch (error) {
    if (error instanceof LockTimeout) throw keyInUse()
    throw error
  }
}

function replay([fingerprint, result]: Row, claim: IdempotencyClaim): Replayable<unknown> {
  if (!Buffer.from(fingerprint as Uint8Array).equals(claim.fingerprint)) {
    throw new Refusal(
      'idempotency_key_reused',
      'This Idempotency-Key was used for another request. Send a new key with a new request.',
    )
  }
  const value = decodeTagged(result as string)
  if (claim.isWithheld) {
    throw new Refusal(
      'idempotency_key_reused',
      'This request was performed before, and its response contained a secret, which is not stored. Send a new key to perform it again.',
    )
  }
  return { value, isReplayed: true }
}

function keyInUse(): Refusal {
  return new Refusal(
    'idempotency_key_in_use',
    'A request with this Idempotency-Key is in progress. Retry in a moment.',
  )
}

/** Stored in place of a secret. */
const withheld = null

async function storeResult(sql: Sql, { keyId, operation, key }: IdempotencyClaim, value: unknown) {
  await sql.all(
    'update idempotency_keys set answer = ?4 where key_id = ?1 and operation = ?2 and key = ?3',
    [keyId, operation, key, encodeTagged(value)],
  )
}
