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

/** What a key may do, until when, and how often; without an end or a limit, for ever and as often as the settings allow. */
export type Powers = {
  scopes: readonly Grant[]
  expiresAt?: number | undefined
  rateLimit?: number | undefined
}

/** A key gives no key more than it has: scopes, a later end, a higher rate limit. Throws `insufficient_scope`. */
export function requireCovered(held: Powers, given: Powers): void {
  const excess = excessOf(held, given)
  if (excess.length === 0) return
  throw refusal(
    'insufficient_scope',
    `This API key ${excess.join('; it ')}. Use a stronger key; on the machine of the store, petstore keys create makes one.`,
  )
}

/** Whether the one has all that the other has. */
export function isCovered(held: Powers, given: Powers): boolean {
  return excessOf(held, given).length === 0
}

/** What the other has more, in words. */
function excessOf(held: Powers, given: Powers): string[] {
  const lacking = [...new Set(given.scopes)].filter((grant) => !covers(held.scopes, grant))
  const { expiresAt: end = never, rateLimit: rate = never } = held
  const { expiresAt: givenEnd = never, rateLimit: givenRate = never } = given
  const instant = (ms: number) => (ms === never ? 'none' : new Date(ms).toISOString())
  const excess = []
  if (lacking.length > 0)
    excess.push(
      `does not have ${lacking.join(', ')}: it takes every scope that the other key has or gets`,
    )
  if (givenEnd > end)
    excess.push(
      `ends at ${instant(end)}: expiresAt of the other key must be no later, and is ${instant(givenEnd)}`,
    )
  if (givenRate > rate)
    excess.push(
      `may send ${rate} requests per second: rateLimit of the other key must be no higher, and is ${givenRate === never ? 'none' : givenRate}`,
    )
  return excess
}

const never = Number.POSITIVE_INFINITY

/** "default" covers every scope that does not manage something; it is covered, since later versions extend it, by itself alone. */
function covers(held: readonly Grant[], grant: Grant): boolean {
  const isDefault = grant !== 'default' && !grant.endsWith(':manage')
  return held.includes(grant) || (isDefault && held.includes('default'))
}
