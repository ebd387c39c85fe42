import type { Context } from '../../context/context.ts'
import { updateKeyRevoked } from './queries.ts'

/** Revokes a key for good, everywhere within a second. Answers since when it is. Throws `not_found`. */
export async function revokeKey({ db, clock }: Context, id: bigint): Promise<Date> {
  return new Date(await db.write(updateKeyRevoked, { id, revokedAt: clock() }))
}
