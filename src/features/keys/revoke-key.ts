import type { Context } from '../../context/context.ts'
import { oneByOne } from '../../db/db.ts'
import { changeLockedKey, type KeyTarget } from './change-locked-key.ts'
import { grantableBy } from './grants.ts'
import type { StoredKey } from './queries.ts'

/**
 * Revokes a key permanently, in all processes within a second; a revoked one keeps its date. Throws `not_found`,
 * `insufficient_scope`, `last_key_manager`.
 */
export function revokeKey({ db, clock, actor }: Context, id: bigint): Promise<StoredKey> {
  return db.write(endKey, { id, grantable: grantableBy(actor), now: clock() })
}

export const endKey = oneByOne<KeyTarget & { now: number }, StoredKey>({
  name: 'endKey',
  rowOf: ({ id }) => id,
  run: (tx, target) =>
    changeLockedKey(tx, target, 'key.revoked', (key) => ({
      ...key,
      revokedAt: key.revokedAt ?? target.now,
    })),
})
