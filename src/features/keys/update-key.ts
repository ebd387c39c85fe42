import type { Context } from '../../context/context.ts'
import { oneByOne } from '../../db/db.ts'
import { changeLockedKey, type KeyTarget, requireNotRevoked } from './change-locked-key.ts'
import type { Key, KeyChange } from './contract/keys.ts'
import { type Grant, grantableBy } from './grants.ts'
import { keyRecord, type StoredKey } from './queries.ts'
import { readKeyFields } from './read-key-fields.ts'
import { requireGrantable } from './require-grantable.ts'

/**
 * Changes the given fields of a key, in all processes within a second. Throws `invalid_body`, `not_found`,
 * `insufficient_scope`, `key_not_active`, `last_key_manager`.
 */
export async function updateKey(
  context: Context,
  { id, body }: { id: bigint; body: KeyChange },
): Promise<Key> {
  const { grants, expiresAt } = readKeyFields(context, body)
  const grantable = grantableBy(context.actor)
  if (grants) requireGrantable(grantable, grants)
  const change = { name: body.name, grants, expiresAt }
  return keyRecord(await context.db.write(changeKey, { id, grantable, change }))
}

type Fields = {
  name: string | undefined
  grants: readonly Grant[] | undefined
  /** null for never. */
  expiresAt: number | null | undefined
}

export const changeKey = oneByOne<KeyTarget & { change: Fields }, StoredKey>({
  name: 'changeKey',
  rowOf: ({ id }) => id,
  run: (tx, target) =>
    changeLockedKey(tx, target, 'key.updated', (key) => {
      requireNotRevoked(key)
      const { name = key.name, grants = key.grants, expiresAt = key.expiresAt } = target.change
      return { ...key, name, grants, expiresAt: expiresAt ?? undefined }
    }),
})
