import type { Context } from '../../context/context.ts'
import { refusal } from '../refuse.ts'
import type { Webhook } from './contract/webhooks.ts'

/**
 * Requires that the caller may read all events that the maker of a webhook may read: who sets its address gets them, and
 * who has its secret can sign in its name. Where the maker's key is no longer accepted, those are all. Throws
 * `insufficient_scope`.
 */
export function requireAuthority(
  { actor, actorOf, eventTypes }: Context,
  { id, createdBy }: Webhook,
): void {
  if (!actor) return
  const maker = createdBy === undefined ? undefined : actorOf?.(createdBy)
  const scopes = new Set(Object.values(eventTypes).map(({ scope }) => scope))
  const lacking = [...scopes].filter(
    (scope) => (maker?.scopes.has(scope) ?? true) && !actor.scopes.has(scope),
  )
  if (lacking.length === 0) return
  throw refusal(
    'insufficient_scope',
    `This API key does not have ${lacking.join(', ')}: another address or secret for webhook ${id} takes every scope with which its key reads events. Use a stronger key, or create a webhook of your own.`,
  )
}
