import type { IncomingMessage } from 'node:http'
import type { Actor } from '../context/context.ts'
import type { Scope } from '../contract/scopes.ts'
import { ServiceError } from '../contract/service-error.ts'
import type { KeyCache } from '../features/keys/key-cache.ts'
import { describeMissingKey } from './misplaced-key.ts'

const realm = 'Bearer realm="petstore"'

/** Finds the key of the `Authorization` header (RFC 6750). Throws the 401 codes with `WWW-Authenticate`. */
export function authenticate(keys: KeyCache, message: IncomingMessage): Actor | Promise<Actor> {
  const key = keyIn(message.headers.authorization)
  if (key === undefined) {
    throw new ServiceError('missing_api_key', describeMissingKey(message), {
      headers: { 'www-authenticate': realm },
    })
  }
  try {
    const caller = keys.authenticate(key, message.socket)
    return caller instanceof Promise ? caller.catch(challenge) : caller
  } catch (error) {
    return challenge(error)
  }
}

/** The scheme ignores case; one or more spaces follow it (RFC 9110, section 11.4). */
function keyIn(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : /^bearer +([^ ].*)$/i.exec(authorization)?.[1]
}

function challenge(error: unknown): never {
  if (!(error instanceof ServiceError) || error.code === 'unavailable') throw error
  throw new ServiceError(error.code, error.message, {
    headers: {
      'www-authenticate': `${realm}, error="invalid_token", error_description="${error.message}"`,
    },
  })
}

/** Throws `insufficient_scope` unless the key covers the operation. */
export function checkScope(caller: Actor, scope: Scope): void {
  if (caller.scopes.has(scope)) return
  const own = [...caller.scopes].join(', ') || 'none'
  const told = `This API key does not have the scope ${scope}; its scopes are ${own}. Ask the operator of the store for a key with ${scope}.`
  throw new ServiceError('insufficient_scope', told, {
    headers: {
      'www-authenticate': `${realm}, error="insufficient_scope", scope="${scope}"`,
      ...scopesHeader(caller),
    },
  })
}

/** The header that names what a key may do. */
export function scopesHeader({ scopes }: Actor): Record<'petstore-scopes', string> {
  return { 'petstore-scopes': [...scopes].join(' ') }
}
