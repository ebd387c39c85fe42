import type { IncomingMessage } from 'node:http'
import { startsLikeKey } from '../contract/key-text.ts'

const advice = 'Send your API key in the header Authorization: Bearer <API_KEY>.'

/** What is wrong with a request without a bearer key, and how to send it. Repeats nothing of what was sent. */
export function describeMissingKey({ headers, url = '' }: IncomingMessage): string {
  const problem = problemOf(headers, url)
  return problem === undefined ? advice : `${problem} ${advice}`
}

function problemOf(headers: IncomingMessage['headers'], url: string): string | undefined {
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
