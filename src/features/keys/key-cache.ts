import { timingSafeEqual } from 'node:crypto'
import type { Environment } from '../../config/settings.ts'
import type { Actor, ServiceContext } from '../../context/context.ts'
import { createQuota, type Quota } from '../../context/quota.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { msOf } from '../../db/records/instants.ts'
import { performance, sleep, timers, turn } from '../../timers.ts'
import { refusal } from '../refuse.ts'
import { expandGrants } from './grants.ts'
import { describeMalformedKey, digestOf, environmentOfKey, prefixes } from './key-format.ts'
import { type StoredKey, selectKeyByDigest, selectKeysRevision, updateKeyUsed } from './queries.ts'

/** How often changes by other processes are read: they apply within a second. */
const confirmEveryMs = 250
/** The longest that keys are trusted without confirmation by the database. */
const trustMaxMs = 2_000
/** How long a request waits for a due confirmation, and for its key to be looked up. */
const confirmWaitMaxMs = 1_000
/** However many unknown keys arrive, the database is asked about them this often at most. */
const lookUpEveryMs = 20
const recordUseEveryMs = 60_000
/** The most texts of keys in memory, some 10 MB. Beyond, the oldest is looked up again. */
const entriesMax = 10_000

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

/** A text that a key is or was accepted as: the current one, or the one that the last rotation replaced. */
type KeyText = {
  digest: Uint8Array
  revokedAt: string | undefined
  /** When the key expires, or its overlap ends. */
  endsAt: number | undefined
  isReplaced: boolean
}
type Entry = KeyText & { actor: Actor }

/**
 * Looks keys up by their digests, and caches them until any key changes: the revision of the keys is read regularly, and with
 * each key.
 */
export async function openKeyCache(context: ServiceContext): Promise<KeyCache> {
  const { db, clock, environment } = context
  const quotas = new Map<bigint, Quota>()
  let entries = new Map<string, Entry>()
  let revision: bigint | undefined
  let confirmedMs = Number.NEGATIVE_INFINITY
  let confirming: Promise<void> | undefined
  let lookedUpMs = Number.NEGATIVE_INFINITY
  let lookingUp: Promise<{ over: Promise<undefined> }> | undefined
  const used = new Map<bigint, number>()
  const remembered = new WeakMap<
    object,
    { key: string; entry: Entry; revision: bigint | undefined }
  >()

  async function confirm() {
    const askedMs = performance.now()
    const current = await db.read(selectKeysRevision, undefined)
    // A confirmation that began later has finished first.
    if (askedMs < confirmedMs) return
    if (current !== revision) entries = new Map()
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
    let mayFail = confirming !== undefined
    let outcome: 'over' | undefined
    do {
      const failed = mayFail ? undefined : ('over' as const)
      const confirmed = confirmShared().then(
        () => undefined,
        () => failed,
      )
      outcome = await Promise.race([confirmed, waitedLong('over' as const)])
      mayFail = false
    } while (isDue() && outcome === undefined)
    if (isDue()) throw unconfirmed()
  }

  /** Waits until the database may be asked: by one query about all keys that wait, until `over`. */
  function nextLookUp(): Promise<{ over: Promise<undefined> }> {
    async function wait() {
      const dueMs = lookedUpMs + lookUpEveryMs - performance.now()
      await (dueMs > 0 ? sleep(dueMs) : undefined)
      lookingUp = undefined
      lookedUpMs = performance.now()
      return { over: waitedLong(undefined) }
    }
    lookingUp ??= wait()
    return lookingUp
  }

  /** Finds a key that is not in memory. Throws `unavailable`. */
  async function lookUp(key: string): Promise<Entry | undefined> {
    const digest = digestOf(key)
    const { over } = await nextLookUp()
    const found = await Promise.race([db.read(selectKeyByDigest, digest), over])
    if (!found) throw unconfirmed()
    const known = found.key ? entriesOf(found.key, context, quotas) : []
    // A key that was read before a change is accepted once, as when its request arrived.
    if (found.revision === revision) {
      for (const entry of known) entries.set(bucketOf(entry.digest), entry)
      dropOldest(entries)
    }
    return known.find((entry) => timingSafeEqual(entry.digest, digest))
  }

  function entryOf(key: string): Entry | undefined {
    const digest = digestOf(key)
    const entry = entries.get(bucketOf(digest))
    return entry && timingSafeEqual(entry.digest, digest) ? entry : undefined
  }

  /** Most requests of a connection carry the same key, so its lookup is cached. */
  function entryOn(connection: object, key: string): Entry | undefined {
    const last = remembered.get(connection)
    if (last?.key === key && last.revision === revision) return last.entry
    const entry = entryOf(key)
    if (entry) remembered.set(connection, { key, entry, revision })
    return entry
  }

  function authenticate(key: string, connection: object): Actor | Promise<Actor> {
    if (isDue()) return confirmRecently().then(() => authenticate(key, connection))
    const entry = entryOn(connection, key)
    if (entry) return accept(entry)
    const keyEnvironment = environmentOfKey(key)
    if (keyEnvironment !== environment) throw misplacedKey(key, keyEnvironment, environment)
    return lookUp(key).then(accept)
  }

  function accept(entry: Entry | undefined): Actor {
    if (!entry) throw unknownKey
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
    authenticate,
    refresh: confirm,
    async close() {
      timers.clearInterval(confirmTimer)
      timers.clearInterval(recordTimer)
      await confirming?.catch(() => undefined)
      await recordUse().catch(() => undefined)
    },
  }
}

/** Where the thread was blocked meanwhile, what has arrived is read before this resolves. */
async function waitedLong<Outcome>(outcome: Outcome): Promise<Outcome> {
  await sleep(confirmWaitMaxMs, undefined, { ref: false })
  return await turn(outcome)
}

/** The texts of a key, the current one first. */
function entriesOf(
  key: StoredKey,
  { scopes: all, rateLimit }: ServiceContext,
  quotas: Map<bigint, Quota>,
): Entry[] {
  const scopes = new Set(expandGrants(key.scopes, all))
  const quota = quotaOf(key, rateLimit, quotas)
  const { id: keyId, name } = key
  const author = { type: 'key', name, keyId } as const
  return textsOf(key).map((text) => {
    const { digest, endsAt: expiresAt } = text
    const actor = { keyId, author, digest, scopes, expiresAt, quota }
    return { ...text, actor }
  })
}

function dropOldest(known: Map<unknown, unknown>): void {
  for (const oldest of known.keys()) {
    if (known.size <= entriesMax) return
    known.delete(oldest)
  }
}

/** The quota of a key, which both of its texts share, and a change of other fields keeps. */
function quotaOf(
  { id, rateLimit }: StoredKey,
  common: ServiceContext['rateLimit'],
  quotas: Map<bigint, Quota>,
): Quota | undefined {
  const perSecond = rateLimit ?? common.perSecond
  const before = quotas.get(id)
  if (perSecond === before?.perSecond) return before
  quotas.delete(id)
  if (perSecond === undefined) return undefined
  const quota = createQuota(perSecond, common.burst)
  quotas.set(id, quota)
  dropOldest(quotas)
  return quota
}

/** The texts of a key, of which some may be accepted. */
export function textsOf(key: StoredKey): KeyText[] {
  const { digest, revokedAt, previousDigest, previousEndsAt } = key
  const expiresAt = msOf(key.expiresAt)
  const current = { digest, revokedAt, endsAt: expiresAt, isReplaced: false }
  if (!previousDigest) return [current]
  const replacedAt = msOf(previousEndsAt) ?? 0
  const isReplaced = replacedAt < (expiresAt ?? Number.POSITIVE_INFINITY)
  const endsAt = isReplaced ? replacedAt : expiresAt
  return [current, { digest: previousDigest, revokedAt, endsAt, isReplaced }]
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

const unconfirmed = () =>
  new ServiceError('unavailable', 'API keys cannot be confirmed now. Try again later.')

/** The error for a text that is no key, or a key of the other environment. */
function misplacedKey(
  key: string,
  keyEnvironment: Environment | undefined,
  environment: Environment,
): ServiceError {
  return new ServiceError(
    'invalid_api_key',
    keyEnvironment === undefined
      ? describeMalformedKey(key)
      : `This API key belongs to ${keyEnvironment}; this is ${environment}. Send a key that begins with ${prefixes[environment]}, or use the address of ${keyEnvironment}.`,
  )
}
