import type { IncomingMessage } from 'node:http'
import type { Actor } from '../context/context.ts'
import { type ErrorCode, errorCodes } from '../contract/error-codes.ts'
import { startsLikeKey } from '../contract/key-text.ts'
import type { Operation, Scope } from '../contract/operation.ts'
import { ServiceError } from '../contract/service-error.ts'

const realm = 'Bearer realm="petstore"'

/** What requests need of API keys. */
export type Keys = {
  /** Finds the caller that a key stands for. Throws the 401 codes, `unavailable`. */
  authenticate(key: string, connection: object): Actor | Promise<Actor>
}

/** Finds the key of the `Authorization` header (RFC 6750). Throws the 401 codes, `unavailable`. */
export function authenticate(keys: Keys, message: IncomingMessage): Actor | Promise<Actor> {
  const { authorization = '' } = message.headers
  // The scheme ignores case; one or more spaces follow it (RFC 9110, section 11.4).
  const key = /^bearer +([^ ].*)$/i.exec(authorization)?.[1]
  if (key === undefined) {
    const advice = 'Send your API key in the header Authorization: Bearer <API_KEY>.'
    const problem = misplacedIn(message)
    throw new ServiceError(
      'missing_api_key',
      problem === undefined ? advice : `${problem} ${advice}`,
    )
  }
  return keys.authenticate(key, message.socket)
}

/** The caller of a request, once its key is checked. */
export function callerOf({ caller }: { caller: Actor | undefined }): Actor {
  if (!caller) throw new Error('The key of this request was not checked.')
  return caller
}

/** What is wrong with a request without a bearer key. Repeats nothing of what was sent. */
function misplacedIn({ headers, url = '' }: IncomingMessage): string | undefined {
  const { authorization = '' } = headers
  if (/^bearer *$/i.test(authorization)) {
    return 'There is no key after Bearer; a variable that should hold it may be empty.'
  }
  if (startsLikeKey(authorization)) {
    return 'The word Bearer is missing before the API key in the header Authorization.'
  }
  const [, scheme] = /^([\w-]{1,20})[ :]/.exec(authorization) ?? []
  if (scheme !== undefined) {
    return scheme.toLowerCase() === 'bearer'
      ? 'There is no space between Bearer and the API key.'
      : `The header Authorization has the scheme ${scheme}, not Bearer.`
  }
  const header = Object.entries(headers).find(([name, value]) => isKey(name, String(value)))
  if (header) return `The API key was sent in the header ${header[0]}.`
  if (/[?&](?:api_?key|key|access_token|token)=|pet_(?:live|test)_/i.test(url)) {
    return 'An API key is not read from the address, where logs would show it.'
  }
  return undefined
}

/** Headers in which other services take keys, and any header with one. */
const usualNames = new Set(['x-api-key', 'api-key', 'apikey', 'x-auth-token', 'x-access-token'])

function isKey(name: string, value: string): boolean {
  return usualNames.has(name) || startsLikeKey(value)
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
  const message = `This API key does not have the scope ${scope}; its scopes are ${own}. Ask the operator of the store for a key with ${scope}.`
  throw new ServiceError('insufficient_scope', message, {
    headers: { ...challengeFor('insufficient_scope', message, scope), ...scopesHeader(caller) },
  })
}

/** The header that names what a key may do. */
export function scopesHeader({ scopes }: Actor): Record<'petstore-scopes', string> {
  return { 'petstore-scopes': [...scopes].join(' ') }
}
