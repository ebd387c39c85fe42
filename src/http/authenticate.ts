import type { IncomingMessage } from 'node:http'
import type { Actor } from '../context/context.ts'
import type { Scope } from '../contract/scopes.ts'
import { ServiceError } from '../contract/service-error.ts'
import type { KeyCache } from '../features/keys/key-cache.ts'

const realm = 'Bearer realm="petstore"'

/** Finds the key of the `Authorization` header (RFC 6750). Throws the 401 codes with `WWW-Authenticate`. */
export function authenticate(
  keys: KeyCache,
  { headers: { authorization }, socket }: IncomingMessage,
): Actor | Promise<Actor> {
  const key = keyIn(authorization)
  if (key === undefined) {
    throw new ServiceError(
      'missing_api_key',
      'Send your API key in the header Authorization: Bearer <API_KEY>.',
      {
        headers: { 'www-authenticate': realm },
      },
    )
  }
  try {
    const caller = keys.authenticate(key, socket)
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
  throw new ServiceError('insufficient_scope', `This API key does not have the scope ${scope}.`, {
    headers: { 'www-authenticate': `${realm}, error="insufficient_scope", scope="${scope}"` },
  })
}
