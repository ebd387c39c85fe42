import type { CallerContext } from '../../context/context.ts'
import { keyWrite, requireNotRevoked } from './change-key.ts'
import { type Key, type KeyChange, keyRecord } from './contract/keys.ts'
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
  const read = readKeyFields(context, body)
  const { scopes } = read
  const fields = { ...body, ...read }
  return keyRecord.shown(await db.write(changeKey, { id, caller, now: clock(), scopes, fields }))
}

export const changeKey = keyWrite<{ fields: object }>('updated', (key, { fields }) => {
  requireNotRevoked(key)
  return fields
})
