import { PetstoreApiError } from '../../../client/src/errors.ts'
import type { Scope } from '../../../client/src/generated/scopes.ts'
import { clientWith, noRetries } from '../api/client.ts'

/** The scopes of a key; undefined where the service does not send them. Throws where the service rejects the key. */
export async function fetchScopes(key: string): Promise<readonly Scope[] | undefined> {
  const options = { ...noRetries, headers: { prefer: 'scopes' } }
  try {
    const { headers } = await clientWith(key).pets.list({ limit: 1 }, options)
    return scopesIn(headers)
  } catch (error) {
    // The key is valid, but lacks `pets:read`.
    if (error instanceof PetstoreApiError && error.status === 403) return scopesIn(error.headers)
    throw error
  }
}

function scopesIn(headers: Headers): readonly Scope[] | undefined {
  return headers.get('petstore-scopes')?.split(' ').filter(Boolean) as Scope[] | undefined
}
