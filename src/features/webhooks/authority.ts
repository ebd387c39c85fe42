import type { Actor, CallerContext } from '../../context/context.ts'
import type { Scope } from '../../contract/operation.ts'
import { expandGrants, requireCovered } from '../keys/grants.ts'
import { refusal } from '../refuse.ts'
import type { StoredWebhook } from './queries.ts'

/** What decides about privileges inside a write, as plain data. */
export type Authority = {
  now: number
  /** All scopes of this version, and the one that reads each type of event. */
  scopes: readonly Scope[]
  scopeOf: Readonly<Record<string, Scope>>
  /** Who asks; undefined for a command or a job. */
  caller: Pick<Actor, 'digest' | 'scopes' | 'expiresAt'> | undefined
}

export function authorityOf({
  clock,
  scopes,
  eventTypes,
  actor,
}: Pick<CallerContext, 'clock' | 'scopes' | 'eventTypes' | 'actor'>): Authority {
  const scopeOf = Object.fromEntries(
    Object.entries(eventTypes).map(([type, { scope }]) => [type, scope]),
  )
  const caller = actor && {
    digest: actor.digest,
    scopes: actor.scopes,
    expiresAt: actor.expiresAt,
  }
  return { now: clock(), scopes, scopeOf, caller }
}

/** Whether the key that made a webhook is no longer accepted: then nothing is sent. */
export function hasMakerEnded(webhook: StoredWebhook, now: number): boolean {
  const { createdBy, makerDigest, makerEndsAt } = webhook
  if (createdBy === undefined) return false
  return makerDigest === undefined || (makerEndsAt !== undefined && makerEndsAt <= now)
}

/** Tells which types of events the maker of a webhook may read now. */
export function mayRead(
  webhook: StoredWebhook,
  { now, scopes, scopeOf }: Omit<Authority, 'caller'>,
): (type: string) => boolean {
  const granted = webhook.makerScopes ? expandGrants(webhook.makerScopes, scopes) : scopes
  const held = new Set(hasMakerEnded(webhook, now) ? [] : granted)
  return (type) => held.has(scopeOf[type] as Scope)
}

/** Refuses a key that a rotation has replaced: the webhook would outlast it. Throws `insufficient_scope`. */
export function requireCurrent({ makerDigest }: StoredWebhook, { caller }: Authority): void {
  if (!caller || (makerDigest && Buffer.compare(makerDigest, caller.digest) === 0)) return
  throw refusal(
    'insufficient_scope',
    'This API key was replaced by another one, and makes no webhook, which would outlast it. Use its successor.',
  )
}

/**
 * Requires that the caller may read all events that the maker of a webhook may read, and as long: who sets its address gets
 * them, and who has its secret can sign in its name. Where the maker's key has ended, every scope and no end are required.
 * Throws `insufficient_scope`.
 */
export function requireAuthority(webhook: StoredWebhook, authority: Authority): void {
  const { now, scopeOf, caller } = authority
  if (!caller) return
  const hasEnded = hasMakerEnded(webhook, now)
  const isHeld = hasEnded ? () => true : mayRead(webhook, authority)
  const scopes = Object.entries(scopeOf).flatMap(([type, scope]) => (isHeld(type) ? [scope] : []))
  const { makerEndsAt } = webhook
  const isEndless = hasEnded || makerEndsAt === undefined
  requireCovered(
    { scopes: [...caller.scopes], expiresAt: caller.expiresAt },
    { scopes, expiresAt: isEndless ? undefined : Number(makerEndsAt) },
  )
}
