import type { CallerContext } from '../../context/context.ts'
import { refusal } from '../refuse.ts'
import { keyWrite, requireNotRevoked } from './change-key.ts'
import type { IssuedKey, NewRotation } from './contract/keys.ts'
import { digestOf, hintOf, mintKey } from './key-format.ts'
import { keyRecord, type StoredKey } from './queries.ts'

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
  return { ...keyRecord(stored), key }
}

type Rotation = { now: number; endsAt: number; successor: Pick<StoredKey, 'hint' | 'digest'> }

export const replaceKey = keyWrite<Rotation>('key.rotated', (key, rotation) => {
  requireRotatable(key, rotation)
  const { hint, digest } = key
  return { ...key, ...rotation.successor, previous: { hint, digest, endsAt: rotation.endsAt } }
})

/** A rotation without overlap is always possible: it is the answer to a leak. */
function requireRotatable(key: StoredKey, { now, endsAt }: Rotation): void {
  requireNotRevoked(key)
  const { id, expiresAt, previous } = key
  if (expiresAt !== undefined && expiresAt <= now) {
    const since = new Date(expiresAt).toISOString()
    throw refusal('key_not_active', `Key ${id} expired at ${since}. Set another expiresAt first.`)
  }
  if (previous && previous.endsAt > now && endsAt > now) {
    const until = new Date(previous.endsAt).toISOString()
    throw refusal(
      'rotation_in_progress',
      `The key that the last rotation of key ${id} replaced is accepted until ${until}. Rotate after that, or with an overlap of 0, which ends both old keys at once.`,
    )
  }
}
