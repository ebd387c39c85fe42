import { timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Environment } from '../../config/settings.ts'
import type { Actor, Context } from '../../context/context.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { describeMalformedKey, digestOf, environmentOfKey, prefixOf } from './key-format.ts'
import { type StoredKey, selectKeys, selectKeysRevision, updateKeyUsed } from './queries.ts'

/** How often changes by other processes are read: they apply within a second. */
const confirmEveryMs = 250
/** The longest that keys are trusted without confirmation by the database. */
const trustMaxMs = 2_000
/** How long a request waits for a due confirmation. */
const confirmWaitMaxMs = 1_000
const recordUseEveryMs = 60_000

export type KeyCache = {
  /**
   * Finds the key; synchronous unless the cache needs confirmation first. The last key of a connection is cached with
   * it. Throws the 401 codes, `unavailable`.
   */
  authenticate(key: string, connection: object): Actor | Promise<Actor>
  /** Applies a change made by this process immediately. */
  refresh(): Promise<void>
  close(): Promise<void>
}

type Entry = StoredKey & { actor: Actor }
type Entries = ReadonlyMap<string, Entry>

/** Caches the digests of all keys, and confirms them with the database regularly. */
export async function openKeyCache(context: Context, environment: Environment): Promise<KeyCache> {
  const { db, clock } = context
  let entries: Entries = new Map()
  let revision: bigint | undefined
  let confirmedMs = Number.NEGATIVE_INFINITY
  let confirming: Promise<void> | undefined
  const used = new Map<bigint, number>()
  const remembered = new WeakMap<object, { key: string; entry: Entry; entries: Entries }>()

  async function confirm() {
    const askedMs = performance.now()
    const current = await db.read(selectKeysRevision, undefined)
    if (current !== revision) {
      entries = entriesOf(await db.read(selectKeys, undefined))
      revision = current
    }
    confirmedMs = askedMs
  }

  function confirmShared(): Promise<void> {
    confirming ??= confirm().finally(() => {
      confirming = undefined
    })
    return confirming
  }

  function isDue(): boolean {
    return performance.now() - confirmedMs > trustMaxMs
  }

  /**
   * Confirms until the confirmation is recent enough. One during which the process was suspended is not; one that began
   * before the suspension may also fail.
   */
  async function confirmFirst(key: string): Promise<Actor> {
    const over = sleep(confirmWaitMaxMs, 'over' as const, { ref: false })
    let mayFail = confirming !== undefined
    let outcome: 'over' | undefined
    do {
      const failed = mayFail ? undefined : ('over' as const)
      const confirmed = confirmShared().then(
        () => undefined,
        () => failed,
      )
      outcome = await Promise.race([confirmed, over])
      mayFail = false
    } while (isDue() && outcome === undefined)
    if (isDue()) {
      throw new ServiceError('unavailable', 'API keys cannot be confirmed now. Try again later.')
    }
    return find(key)
  }

  /** Confirms before refusing a key: another process may have just issued it. */
  async function confirmUnknown(key: string): Promise<Actor> {
    await confirming?.catch(() => undefined)
    return confirmFirst(key)
  }

  function entryOf(key: string): Entry | undefined {
    const digest = digestOf(key)
    const entry = entries.get(bucketOf(digest))
    return entry && timingSafeEqual(entry.digest, digest) ? entry : undefined
  }

  /** Most requests of a connection carry the same key, so its lookup is cached. */
  function entryOn(connection: object, key: string): Entry | undefined {
    const last = remembered.get(connection)
    if (last?.key === key && last.entries === entries) return last.entry
    const entry = entryOf(key)
    if (entry) remembered.set(connection, { key, entry, entries })
    return entry
  }

  function find(key: string, entry = entryOf(key)): Actor {
    if (!entry) throw unknownKey(key, environment)
    const now = clock()
    if (entry.revokedAt !== undefined) {
      throw new ServiceError(
        'revoked_api_key',
        'This API key was revoked. Ask the operator of the store for another.',
      )
    }
    if (entry.expiresAt !== undefined && !(entry.expiresAt > now)) {
      const expired = new Date(entry.expiresAt).toISOString()
      throw new ServiceError(
        'expired_api_key',
        `This API key expired at ${expired}. Ask the operator of the store for another.`,
      )
    }
    used.set(entry.id, now)
    return entry.actor
  }

  async function recordUse() {
    const uses = [...used]
    used.clear()
    await Promise.all(uses.map(([id, lastUsedAt]) => db.write(updateKeyUsed, { id, lastUsedAt })))
  }

  await confirm()
  const confirmTimer = setInterval(() => confirmShared().catch(() => undefined), confirmEveryMs)
  const recordTimer = setInterval(() => recordUse().catch(() => undefined), recordUseEveryMs)
  // The server keeps the process alive as long as it is to serve.
  confirmTimer.unref()
  recordTimer.unref()

  return {
    authenticate(key, connection) {
      if (isDue()) return confirmFirst(key)
      const entry = entryOn(connection, key)
      if (!entry && environmentOfKey(key) === environment) return confirmUnknown(key)
      return find(key, entry)
    },
    refresh: confirm,
    async close() {
      clearInterval(confirmTimer)
      clearInterval(recordTimer)
      await confirming?.catch(() => undefined)
      await recordUse().catch(() => undefined)
    },
  }
}

function entriesOf(keys: readonly StoredKey[]): Entries {
  return new Map(
    keys.map((key) => [
      bucketOf(key.digest),
      { ...key, actor: { keyId: key.id, scopes: new Set(key.scopes) } },
    ]),
  )
}

/** The first bytes of the digest find the entry; the whole digest is compared in constant time. */
function bucketOf(digest: Uint8Array): string {
  return Buffer.from(digest.buffer, digest.byteOffset, 12).toString('latin1')
}

function unknownKey(key: string, environment: Environment): ServiceError {
  const keyEnvironment = environmentOfKey(key)
  if (keyEnvironment === undefined) {
    return new ServiceError('invalid_api_key', describeMalformedKey(key))
  }
  if (keyEnvironment !== environment) {
    return new ServiceError(
      'invalid_api_key',
      `This API key belongs to ${keyEnvironment}; this is ${environment}. Send a key that begins with ${prefixOf(environment)}, or use the address of ${keyEnvironment}.`,
    )
  }
  return new ServiceError(
    'invalid_api_key',
    'This API key is not known here: it was issued by another store, or for a database that was replaced.',
  )
}
