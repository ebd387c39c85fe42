import type { Actor } from '../../context/context.ts'
import { oneByOne, type Tx, type Write } from '../../db/db.ts'
import { selectByIds } from '../../db/lists/by-id.ts'
import { msOf } from '../../db/records/instants.ts'
import { notFound, refusal } from '../refuse.ts'
import { type Grant, isCovered, type Powers, requireCovered } from './grants.ts'
import { requireAccepted, textsOf } from './key-cache.ts'
import { hasOtherManager, keys, keyWrites, lockKeys, type StoredKey } from './queries.ts'

/** Who changes keys, and when. Undefined, the caller is a command, which may do everything. */
export type Manager = { caller: Actor | undefined; now: number }

/** A change of one key, with what it gets. */
type KeyWriteInput = Manager & { id: bigint; scopes?: readonly Grant[] | undefined }

/**
 * A write that changes a key under the lock of all keys: every rule is decided on what no other request can change
 * meanwhile. `change` returns the members that change, null for none, and may throw a `Refusal`. Throws the 401 codes,
 * `not_found`, `insufficient_scope`, `last_key_manager`.
 */
export function keyWrite<Input>(
  did: 'updated' | 'rotated' | 'revoked',
  change: (key: StoredKey, input: KeyWriteInput & Input) => object,
): Write<KeyWriteInput & Input, StoredKey> {
  return oneByOne({
    name: `key.${did}`,
    rowOf: ({ id }) => id,
    async run(tx, input) {
      const { id, scopes = [] } = input
      await lockKeys(tx)
      const key = (await selectByIds(tx, keys, [id])).get(id)
      const held = await requireManager(tx, input, [...(key?.scopes ?? []), ...scopes])
      if (!key) throw notFound('key', id)
      const changed = keys.changed(key, change(key, input))
      const given = powersOf(changed)
      // Who rotates a key gets all that it has; what only takes away is no gift.
      const isGift = changed.digest !== key.digest || !isCovered(powersOf(key), given)
      if (held && isGift) requireCovered(held, given)
      // A limit of its own replaces that of the settings, also with a higher one.
      const { rateLimit } = changed
      if (held && key.rateLimit === undefined && rateLimit !== undefined)
        requireCovered(held, { ...held, rateLimit })
      if (input.caller && isWeakened(key, changed) && !(await hasOtherManager(tx, id)))
        throw lastManager(id)
      await keyWrites.change(tx, input, did, { before: key, after: changed })
      return changed
    },
  })
}

/**
 * Checks the caller again, under the lock of all keys: another process may have changed its key since. Returns what it may
 * give; undefined for a command, which may give everything. Throws the 401 codes, `insufficient_scope`.
 */
export async function requireManager(
  tx: Tx,
  { caller, now }: Manager,
  needed: readonly Grant[],
): Promise<Powers | undefined> {
  if (!caller) return undefined
  const { keyId } = caller
  const key = (await selectByIds(tx, keys, [keyId])).get(keyId)
  const text = key && textsOf(key).find(({ digest }) => Buffer.compare(digest, caller.digest) === 0)
  if (!text) throw refusal('invalid_api_key', 'This API key was replaced. Use its successor.')
  requireAccepted(text, now)
  // A replaced text ends with its overlap.
  const held = { ...powersOf(key), expiresAt: text.endsAt }
  requireCovered(held, { ...held, scopes: ['keys:manage', ...needed] })
  return held
}

/** What a key may do and give. */
export function powersOf({
  scopes,
  expiresAt,
  rateLimit,
}: Pick<StoredKey, 'scopes' | 'expiresAt' | 'rateLimit'>): Powers {
  return { scopes, expiresAt: msOf(expiresAt), rateLimit }
}

/** Throws `key_not_active` for a revoked key. */
export function requireNotRevoked({ id, revokedAt }: StoredKey): void {
  if (revokedAt === undefined) return
  throw refusal('key_not_active', `Key ${id} was revoked at ${revokedAt}. Create another one.`)
}

/** Whether a key that manages keys without end loses something. */
function isWeakened(before: StoredKey, { scopes, expiresAt, revokedAt }: StoredKey): boolean {
  const isManager = before.scopes.includes('keys:manage')
  const isLasting = before.expiresAt === undefined && before.revokedAt === undefined
  const isNarrowed = before.scopes.some((scope) => !scopes.includes(scope))
  return isManager && isLasting && (isNarrowed || (expiresAt ?? revokedAt) !== undefined)
}

function lastManager(id: bigint) {
  return refusal(
    'last_key_manager',
    `Key ${id} is the last one without expiry that may manage keys. First create another one with keys:manage; petstore keys create on the machine of the store always can.`,
  )
}
