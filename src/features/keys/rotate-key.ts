import type { CallerContext } from '../../context/context.ts'
import { isoOf } from '../../db/records/instants.ts'
import { refusal } from '../refuse.ts'
import { keyWrite, requireNotRevoked } from './change-key.ts'
import { type IssuedKey, keyRecord, type NewRotation } from './contract/keys.ts'
import { digestOf, hintOf, mintKey } from './key-format.ts'
import type { StoredKey } from './queries.ts'

const overlapDefaultSeconds = 86_400

/**
 * Issues a successor of a key, and returns it; it cannot be read again. The old key is accepted until the overlap ends.
 * Throws `not_found`, `insufficient_scope`, `key_not_active`, `rotation_in_progress`.
 */
export async function rotateKey(
  { db, clock, random, environment, actor: caller }: CallerContext,
  { id, body }: { id: bigint; body: NewRotation },
): Promise<IssuedKey> {
  const { overlapSeconds = overlapDefaultSeconds } = body
  const key = mintKey(environment, random)
  const now = clock()
  const endsAt = now + overlapSeconds * 1_000
  const successor = { hint: hintOf(key), digest: digestOf(key) }
  const stored = await db.write(replaceKey, { id, caller, now, endsAt, successor })
  return { ...keyRecord.shown(stored), key }
}

type Rotation = { now: number; endsAt: number; successor: Pick<StoredKey, 'hint' | 'digest'> }

export const replaceKey = keyWrite<Rotation>('rotated', (key, rotation) => {
  requireRotatable(key, rotation)
  const { hint, digest } = key
  return {
    ...rotation.successor,
    previousHint: hint,
    previousDigest: digest,
    previousEndsAt: isoOf(rotation.endsAt),
  }
})

/** A rotation without overlap is always possible: it is the answer to a leak. */
function requireRotatable(key: StoredKey, { now, endsAt }: Rotation): void {
  requireNotRevoked(key)
  const { id, expiresAt = '', previousEndsAt = '' } = key
  if (Date.parse(expiresAt) <= now)
    throw refusal(
      'key_not_active',
      `Key ${id} expired at ${expiresAt}. Set another expiresAt first.`,
    )
  if (Date.parse(previousEndsAt) > now && endsAt > now)
    throw refusal(
      'rotation_in_progress',
      `The key that the last rotation of key ${id} replaced is accepted until ${previousEndsAt}. Rotate after that, or with an overlap of 0, which ends both old keys at once.`,
    )
}
