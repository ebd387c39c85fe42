import type { CallerContext } from '../../context/context.ts'
import { isoOf } from '../../db/records/instants.ts'
import { keyWrite } from './change-key.ts'
import type { StoredKey } from './queries.ts'

/**
 * Revokes a key permanently, in all processes within a second; a revoked one keeps its date. Throws `not_found`,
 * `insufficient_scope`, `last_key_manager`.
 */
export function revokeKey({ db, clock, actor }: CallerContext, id: bigint): Promise<StoredKey> {
  return db.write(endKey, { id, caller: actor, now: clock() })
}

export const endKey = keyWrite('revoked', ({ revokedAt }, { now }) => ({
  revokedAt: revokedAt ?? isoOf(now),
}))
