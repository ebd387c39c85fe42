import type { Scope } from '../../contract/operation.ts'
import { refusal } from '../refuse.ts'

/** What a key was issued with: scopes, or "default" for those of the version that serves it. */
export type Grant = Scope | 'default'

/** What the first key of a store is issued with. */
export const firstGrants: readonly Grant[] = ['default', 'keys:manage', 'webhooks:manage']

/** The scopes of a key, of all that the features declare. */
export function expandGrants(grants: readonly Grant[], all: readonly Scope[]): Scope[] {
  return all.filter((scope) => covers(grants, scope))
}

/** Throws `insufficient_scope` with what a key does not have of what a change takes. */
export function requireGrants(held: readonly Grant[], needed: readonly Grant[]): void {
  const lacking = [...new Set(needed)].filter((grant) => !covers(held, grant))
  if (lacking.length === 0) return
  throw refusal(
    'insufficient_scope',
    `This API key does not have ${lacking.join(', ')}: it takes keys:manage and every scope that the other key has or gets. Use a stronger key, or petstore keys on the machine of the store.`,
  )
}

/** "default" covers every scope that does not manage something; it is covered, since later versions extend it, by itself alone. */
function covers(held: readonly Grant[], grant: Grant): boolean {
  const isDefault = grant !== 'default' && !grant.endsWith(':manage')
  return held.includes(grant) || (isDefault && held.includes('default'))
}
