import type { Actor } from '../../context/context.ts'
import type { Scope } from '../../contract/operation.ts'

/** What a key was issued with: scopes, or "default" for those of the version that serves it. */
export type Grant = Scope | 'default'

/** What the first key of a store is issued with. */
export const firstGrants: readonly Grant[] = ['default', 'keys:manage']

/** The scopes of a key, of all that the features declare. "default" is every one that does not manage something. */
export function expandGrants(grants: readonly Grant[], all: readonly Scope[]): Scope[] {
  const isDefault = grants.includes('default')
  return all.filter((scope) => grants.includes(scope) || (isDefault && !scope.endsWith(':manage')))
}

/**
 * What a caller may grant: its scopes, and "default", which later versions extend, only where it holds that. Undefined for
 * a command, which may grant everything.
 */
export function grantableBy(actor: Actor | undefined): readonly Grant[] | undefined {
  return actor && [...actor.grants, ...actor.scopes]
}
