import { useQuery } from '@tanstack/react-query'
import { scopes as allScopes } from '../../../client/src/generated/scopes.ts'
import type { Key } from '../../../client/src/index.ts'
import { reader } from '../api/client.ts'
import { useSession } from '../api/session.ts'

const verbs: Record<string, string> = { read: 'See', write: 'Change', manage: 'Manage' }

/** Whether "default" does not stand for this scope. */
export function isManaging(scope: string): boolean {
  return scope.endsWith(':manage')
}

/** Whether a key that was issued with these grants may do this. */
export function covers(grants: readonly string[], scope: string): boolean {
  return grants.includes(scope) || (grants.includes('default') && !isManaging(scope))
}

/** A scope in words, such as `See pets`. */
export function describeScope(scope: string): string {
  const [noun = '', verb = ''] = scope.split(':')
  return `${verbs[verb] ?? verb} ${noun}`
}

/** What a key may do in words, such as `See pets, orders; change orders`. */
export function describeGrants(grants: readonly string[]): string {
  const named = Object.entries(verbs).flatMap(([verb, word]) => {
    const nouns = grants.flatMap((grant) => (grant.endsWith(`:${verb}`) ? grant.split(':')[0] : []))
    return nouns.length === 0 ? [] : `${word} ${nouns.join(', ')}`
  })
  const parts = [...(grants.includes('default') ? ['Everything'] : []), ...named]
  return parts.map((part, index) => (index === 0 ? part : part.toLowerCase())).join('; ')
}

/** The key of the session; undefined until it is known. */
export function useOwnKey(): Key | undefined {
  const end = useSession()?.key.slice(-6)
  const { data } = useQuery({
    queryKey: ['own key', end],
    queryFn: async ({ signal }) => {
      const { id } = await reader.keys.getOwn({ signal })
      return await reader.keys.get(id, { signal })
    },
  })
  return data
}

/** The scopes that the signed-in key may give to another. */
export function grantableScopes(own: readonly string[]): readonly string[] {
  return allScopes.filter((scope) => covers(own, scope))
}

/** Whether the signed-in key may change a key: it needs all that the other one has. */
export function mayChange(own: readonly string[], { scopes, revokedAt }: Key): boolean {
  const lacks = (grant: string) =>
    grant === 'default' ? !own.includes(grant) : !covers(own, grant)
  return revokedAt === undefined && !scopes.some(lacks)
}
