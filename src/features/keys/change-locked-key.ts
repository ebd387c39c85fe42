import type { Tx } from '../../db/db.ts'
import { refusal } from '../refuse.ts'
import { keyNotFound } from './get-key.ts'
import type { Grant } from './grants.ts'
import { hasOtherManager, keyRecord, lockKeyRow, type StoredKey, updateKeyRow } from './queries.ts'
import { requireGrantable } from './require-grantable.ts'

/** A key to change, and what the caller may grant; undefined, it may do everything. */
export type KeyTarget = { id: bigint; grantable: readonly Grant[] | undefined }

/**
 * Changes a key under the lock of all keys: every rule is decided on what no other request can change meanwhile. `change`
 * may throw a `Refusal`. Throws `not_found`, `insufficient_scope`, `last_key_manager`.
 */
export async function changeLockedKey(
  tx: Tx,
  target: KeyTarget,
  type: `key.${'updated' | 'rotated' | 'revoked'}`,
  change: (key: StoredKey) => StoredKey,
): Promise<StoredKey> {
  const { id, grantable } = target
  const key = await lockKeyRow(tx, id)
  if (!key) throw keyNotFound(id)
  requireGrantable(grantable, key.grants)
  const changed = change(key)
  const isWeakened = isLastingManager(key) && isWeaker(changed, key)
  if (grantable && isWeakened && !(await hasOtherManager(tx, id))) {
    throw refusal(
      'last_key_manager',
      `Key ${id} is the last one without expiry that may manage keys. First create another one with keys:manage; petstore keys on the machine of the store can always change it.`,
    )
  }
  await updateKeyRow(tx, changed)
  tx.record(target, { type, record: 'key', id, data: keyRecord(changed), before: keyRecord(key) })
  return changed
}

/** Throws `key_not_active` for a revoked key. */
export function requireNotRevoked({ id, revokedAt }: StoredKey): void {
  if (revokedAt === undefined) return
  const since = new Date(revokedAt).toISOString()
  throw refusal('key_not_active', `Key ${id} was revoked at ${since}. Create another one.`)
}

function isLastingManager({ grants, expiresAt, revokedAt }: StoredKey): boolean {
  return grants.includes('keys:manage') && expiresAt === undefined && revokedAt === undefined
}

function isWeaker({ grants, expiresAt, revokedAt }: StoredKey, before: StoredKey): boolean {
  const isNarrowed = before.grants.some((grant) => !grants.includes(grant))
  return isNarrowed || expiresAt !== undefined || revokedAt !== undefined
}
