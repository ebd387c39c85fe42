import { PetstoreApiError } from '../../../client/src/errors.ts'
import type { Scope } from '../../../src/contract/scopes.ts'
import { clientWith, once } from '../api/client.ts'

/** What the service says that the key may do; undefined where it does not say. Throws what the service says against it. */
export async function checkKey(key: string): Promise<readonly Scope[] | undefined> {
  const options = { ...once, headers: { prefer: 'scopes' } }
  try {
    const { headers } = await clientWith(key).pets.list({ limit: 1 }, options)
    return scopesIn(headers)
  } catch (error) {
    // A key that may not read pets is a key.
    if (error instanceof PetstoreApiError && error.status === 403) return scopesIn(error.headers)
    throw error
  }
}

function scopesIn(headers: Headers): readonly Scope[] | undefined {
  return headers.get('petstore-scopes')?.split(' ').filter(Boolean) as Scope[] | undefined
}
