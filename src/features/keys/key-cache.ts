import { timingSafeEqual } from 'node:crypto'
import type { Environment } from '../../config/settings.ts'
import type { Actor, Context } from '../../context/context.ts'
import { createQuota, type Quota } from '../../context/quota.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { performance, sleep, timers } from '../../timers.ts'
import { refusal } from '../refuse.ts'
import { expandGrants } from './grants.ts'
import { describeMalformedKey, digestOf, environmentOfKey, prefixes } from './key-format.ts'
import { type StoredKey, selectKeys, selectKeysRevision, updateKeyUsed } from './queries.ts'

/** How often changes by other processes are read: they apply within a second. */
const confirmEveryMs = 250
/** The longest that keys are trusted without confirmation by the database. */
const trustMaxMs = 2_000
/** How long a request waits for a due confirmation. */
const confirmWaitMaxMs = 1_000
/** However many unknown keys arrive, the database is asked about them this often at most. */
const unknownEveryMs = 20
const recordUseEveryMs = 60_000

export type KeyCache = {
  /**
   * Finds the key; synchronous unless the cache needs confirmation first. The last key of a connection is cached with
   * it. Throws the 401 codes, `unavailable`.
   */
  authenticate(key: string, connection: object): Actor | Promise<Actor>
  /** The key with this id, as its current text would be accepted now. */
  findActor(keyId: bigint): Actor | undefined
  /** Applies a change made by this process immediately. */
  refresh(): Promise<void>
  close(): Promise<void>
}

/** A text that a key is or was accepted as: the current one, or the one that the last rotation replaced. */
type KeyText = {
  digest: Uint8Array
  revokedAt: number | undefined
  /** When the key expires, or its overlap ends. */
  endsAt: number | undefined
  isReplaced: boolean
}
type Entry = KeyText & { actor: Actor }
type Entries = ReadonlyMap<string, Entry>

/** Caches the digests of all keys, and confirms them with the database regularly. */
export async function openKeyCache(context: Context): Promise<KeyCache> {
  const { db, clock, environment } = context
  const quotas = new Map<bigint, Quota>()
  let entries: Entries = new Map()
  let revision: bigint | undefined
  let confirmedMs = Number.NEGATIVE_INFINITY
  let confirming: Promise<void> | undefined
  let unknown: Promise<void> | undefined
  const used = new Map<bigint, number>()
  const remembered = new WeakMap<object, { key: string; entry: Entry; entries: Entries }>()

  async function confirm() {
    const askedMs = performance.now()
    const current = await db.read(selectKeysRevision, undefined)
    const keys = current === revision ? undefined : await db.read(selectKeys, undefined)
    // A confirmation that began later has finished first.
    if (askedMs < confirmedMs) return
    if (keys) entries = entriesOf(keys, context, quotas)
    revision = current
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
   * before the suspension may also fail. Throws `unavailable`.
   */
  async function confirmRecently(): Promise<void> {
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
  }

  /** Confirms anew before keys are refused: another process may have just issued them. They wait for the same query. */
  function confirmUnknown(): Promise<void> {
    async function confirmNext() {
      await confirming?.catch(() => undefined)
      const dueMs = confirmedMs + unknownEveryMs - performance.now()
      if (dueMs > 0) await sleep(dueMs)
      // A key that arrives from here on may be newer than what this query reads.
      unknown = undefined
      await confirmRecently()
    }
    unknown ??= confirmNext()
    return unknown
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

  function accept(entry: Entry | undefined, key: string): Actor {
    if (!entry) throw invalidKey(key, environment)
    const now = clock()
    requireAccepted(entry, now)
    used.set(entry.actor.keyId, now)
    return entry.actor
  }

  async function recordUse() {
    await Promise.all(
      Array.from(used, async ([id, lastUsedAt]) => {
        await db.write(updateKeyUsed, { id, lastUsedAt })
        // Until then it is due, also where the write fails or the key is used meanwhile.
        if (used.get(id) === lastUsedAt) used.delete(id)
      }),
    )
  }

  await confirm()
  const confirmTimer = timers.setInterval(
    () => confirmShared().catch(() => undefined),
    confirmEveryMs,
  )
  const recordTimer = timers.setInterval(() => recordUse().catch(() => undefined), recordUseEveryMs)
  // The server keeps the process alive as long as it is to serve.
  confirmTimer.unref()
  recordTimer.unref()

  return {
    authenticate(key, connection) {
      if (isDue()) return confirmRecently().then(() => accept(entryOf(key), key))
      const entry = entryOn(connection, key)
      if (entry || environmentOfKey(key) !== environment) return accept(entry, key)
      const before = entries
      return confirmUnknown().then(() => {
        if (entries === before) throw unknownKey
        return accept(entryOf(key), key)
      })
    },
    findActor(keyId) {
      const now = clock()
      for (const { actor, isReplaced, revokedAt, endsAt } of entries.values()) {
        if (actor.keyId !== keyId || isReplaced) continue
        return revokedAt === undefined && (endsAt ?? now + 1) > now ? actor : undefined
      }
      return undefined
    },
    refresh: confirm,
    async close() {
      timers.clearInterval(confirmTimer)
      timers.clearInterval(recordTimer)
      await confirming?.catch(() => undefined)
      await recordUse().catch(() => undefined)
    },
  }
}

function entriesOf(
  keys: readonly StoredKey[],
  { scopes: all, rateLimit }: Context,
  quotas: Map<bigint, Quota>,
): Entries {
  const entries = keys.flatMap((key): Entry[] => {
    const scopes = new Set(expandGrants(key.grants, all))
    const quota = quotaOf(key, rateLimit, quotas)
    return textsOf(key).map((text) => {
      const { digest, endsAt: expiresAt } = text
      const actor = { keyId: key.id, keyName: key.name, digest, scopes, expiresAt, quota }
      return { ...text, actor }
    })
  })
  return new Map(entries.map((entry) => [bucketOf(entry.digest), entry]))
}

/** The quota of a key, which both of its texts share, and a change of other fields keeps. */
function quotaOf(
  { id, rateLimit }: StoredKey,
  common: Context['rateLimit'],
  quotas: Map<bigint, Quota>,
): Quota | undefined {
  const perSecond = rateLimit ?? common?.perSecond
  const before = quotas.get(id)
  if (perSecond === before?.perSecond) return before
  quotas.delete(id)
  if (perSecond === undefined) return undefined
  const quota = createQuota(perSecond, common?.burst)
  quotas.set(id, quota)
  return quota
}

/** The texts of a key, of which some may be accepted. */
export function textsOf({ digest, expiresAt, revokedAt, previous }: StoredKey): KeyText[] {
  const current = { digest, revokedAt, endsAt: expiresAt, isReplaced: false }
  if (!previous) return [current]
  const isReplaced = previous.endsAt < (expiresAt ?? Number.POSITIVE_INFINITY)
  const endsAt = isReplaced ? previous.endsAt : expiresAt
  return [current, { digest: previous.digest, revokedAt, endsAt, isReplaced }]
}

/** Throws `revoked_api_key`, `expired_api_key` where the text is not accepted at this time. */
export function requireAccepted({ revokedAt, endsAt, isReplaced }: KeyText, now: number): void {
  if (revokedAt !== undefined) {
    throw refusal(
      'revoked_api_key',
      'This API key was revoked. Ask the operator of the store for another.',
    )
  }
  if (endsAt === undefined || endsAt > now) return
  const ended = new Date(endsAt).toISOString()
  throw refusal(
    'expired_api_key',
    isReplaced
      ? `This API key was replaced by another one, and ended at ${ended}. Use its successor.`
      : `This API key expired at ${ended}. Ask the operator of the store for another.`,
  )
}

/** The first bytes of the digest find the entry; the whole digest is compared in constant time. */
function bucketOf(digest: Uint8Array): string {
  return Buffer.from(digest.buffer, digest.byteOffset, 12).toString('latin1')
}

/** Made once: a flood of wrong keys must not make an error each. */
const unknownKey = new ServiceError(
  'invalid_api_key',
  'This API key is not known here: it was issued by another store, or for a database that was replaced.',
)

function invalidKey(key: string, environment: Environment): ServiceError {
  const keyEnvironment = environmentOfKey(key)
  if (keyEnvironment === undefined) {
    return new ServiceError('invalid_api_key', describeMalformedKey(key))
  }
  if (keyEnvironment !== environment) {
    return new ServiceError(
      'invalid_api_key',
      `This API key belongs to ${keyEnvironment}; this is ${environment}. Send a key that begins with ${prefixes[environment]}, or use the address of ${keyEnvironment}.`,
    )
  }
  return unknownKey
}
