import type { CallerContext } from '../../context/context.ts'
import { keyWrite, requireNotRevoked } from './change-key.ts'
import type { Key, KeyChange } from './contract/keys.ts'
import { keyRecord } from './queries.ts'
import { readKeyFields } from './read-key-fields.ts'

/**
 * Changes the given fields of a key, in all processes within a second. Throws `invalid_body`, `not_found`,
 * `insufficient_scope`, `key_not_active`, `last_key_manager`.
 */
export async function updateKey(
  context: CallerContext,
  { id, body }: { id: bigint; body: KeyChange },
): Promise<Key> {
  const { db, clock, actor: caller } = context
  const { name, rateLimit } = body
  const fields = readKeyFields(context, body)
  return keyRecord(
    await db.write(changeKey, { id, caller, now: clock(), name, rateLimit, ...fields }),
  )
}

type Fields = {
  name: string | undefined
  rateLimit: KeyChange['rateLimit'] | undefined
} & ReturnType<typeof readKeyFields>

export const changeKey = keyWrite<Fields>('key.updated', (key, input) => {
  requireNotRevoked(key)
  const { name = key.name, grants = key.grants, expiresAt = key.expiresAt } = input
  const { rateLimit = key.rateLimit } = input
  return {
    ...key,
    name,
    grants,
    expiresAt: expiresAt ?? undefined,
    rateLimit: rateLimit ?? undefined,
  }
})
