import type { Context } from '../../context/context.ts'
import { refusal } from '../refuse.ts'
import type { Webhook } from './contract/webhooks.ts'

/**
 * Requires that the caller may read all events that the maker of a webhook may read, and as long: who sets its address gets
 * them, and who has its secret can sign in its name. Where the maker's key is no longer accepted, those are all, without an
 * end. Throws `insufficient_scope`.
 */
export async function requireAuthority(
  { actor, actorOf, eventTypes }: Context,
  { id, createdBy }: Webhook,
): Promise<void> {
  if (!actor) return
  const maker = createdBy === undefined ? undefined : await actorOf?.(createdBy)
  const scopes = new Set(Object.values(eventTypes).map(({ scope }) => scope))
  const lacking = [...scopes].filter(
    (scope) => (maker?.scopes.has(scope) ?? true) && !actor.scopes.has(scope),
  )
  const { expiresAt = Number.POSITIVE_INFINITY } = actor
  const endsFirst = expiresAt < (maker?.expiresAt ?? Number.POSITIVE_INFINITY)
  if (lacking.length === 0 && !endsFirst) return
  const problem =
    lacking.length > 0
      ? `does not have ${lacking.join(', ')}`
      : `ends at ${new Date(expiresAt).toISOString()}`
  throw refusal(
    'insufficient_scope',
    `This API key ${problem}: another address or secret for webhook ${id} takes every scope with which its key reads events, and an end that is no earlier. Use a stronger key, or create a webhook of your own.`,
  )
}
