import type { IncomingMessage } from 'node:http'
import type { Actor } from '../context/context.ts'
import { type ErrorCode, errorCodes } from '../contract/error-codes.ts'
import type { Operation, Scope } from '../contract/operation.ts'
import { ServiceError } from '../contract/service-error.ts'
import { describeMissingKey } from './misplaced-key.ts'

const realm = 'Bearer realm="petstore"'

/** What requests need of API keys. */
export type Keys = {
  /** Finds the caller that a key stands for. Throws the 401 codes, `unavailable`. */
  authenticate(key: string, connection: object): Actor | Promise<Actor>
}

/** Finds the key of the `Authorization` header (RFC 6750). Throws the 401 codes, `unavailable`. */
export function authenticate(keys: Keys, message: IncomingMessage): Actor | Promise<Actor> {
  const key = keyIn(message.headers.authorization)
  if (key === undefined) {
    throw new ServiceError('missing_api_key', describeMissingKey(message))
  }
  return keys.authenticate(key, message.socket)
}

/** The scheme ignores case; one or more spaces follow it (RFC 9110, section 11.4). */
function keyIn(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : /^bearer +([^ ].*)$/i.exec(authorization)?.[1]
}

/** The headers of a 401 or 403; none for other errors. */
export function challengeFor(
  code: ErrorCode,
  message: string,
  scope?: Operation['scope'],
): Record<string, string> {
  if (code === 'missing_api_key') return { 'www-authenticate': realm }
  if (code === 'insufficient_scope')
    return {
      'www-authenticate': `${realm}, error="insufficient_scope"${scope ? `, scope="${scope}"` : ''}`,
    }
  if (errorCodes[code].status !== 401) return {}
  return {
    'www-authenticate': `${realm}, error="invalid_token", error_description="${message}"`,
  }
}

/** Throws `insufficient_scope` unless the key covers the operation. */
export function checkScope(caller: Actor, scope: Scope): void {
  if (caller.scopes.has(scope)) return
  const own = [...caller.scopes].join(', ') || 'none'
  const told = `This API key does not have the scope ${scope}; its scopes are ${own}. Ask the operator of the store for a key with ${scope}.`
  throw new ServiceError('insufficient_scope', told, {
    headers: { ...challengeFor('insufficient_scope', told, scope), ...scopesHeader(caller) },
  })
}

/** The header that names what a key may do. */
export function scopesHeader({ scopes }: Actor): Record<'petstore-scopes', string> {
  return { 'petstore-scopes': [...scopes].join(' ') }
}
