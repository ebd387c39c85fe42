import type { Context } from '../../context/context.ts'
import { updateKeyRevoked } from './queries.ts'

/**
 * Revokes a key permanently, in all processes within a second. Returns the instant of revocation. Throws `not_found`.
 */
export async function revokeKey({ db, clock }: Context, id: bigint): Promise<Date> {
  return new Date(await db.write(updateKeyRevoked, { id, revokedAt: clock() }))
}
