import { stringifyJson } from '../../src/contract/int64-json.ts'
import { PetstoreConfigurationError } from './errors.ts'
import type { AnyOptions, Input, Operation } from './operation.ts'
import type { Settings } from './settings.ts'

/** A request as it is sent in each attempt. */
export type Prepared = Awaited<ReturnType<typeof prepare>>

/**
 * Prepares a request. The key is asked for once: an `Idempotency-Key` counts for the API key that it came with. Throws
 * `RangeError` for a number that may have been rounded, `PetstoreConfigurationError` for a header that cannot be sent.
 */
export async function prepare(
  settings: Settings,
  operation: Operation,
  { ids = [], query, body, file }: Input,
  options: AnyOptions,
) {
  let used = 0
  const path = operation.path.replace(/\{\w+\}/g, (name) =>
    encodeURIComponent(segmentOf(textOf(name.slice(1, -1), ids[used++]))),
  )
  const idempotencyKey = operation.isKeyed && (options.idempotencyKey ?? newIdempotencyKey())
  const preferences = [settings.headers, options.headers ?? {}].flatMap(preferencesOf)
  if (options.count) preferences.push('count=exact')
  if (options.scopes) preferences.push('scopes')
  // An unknown filter would be ignored, and a list that it was to narrow give all records.
  if (query) preferences.push('handling=strict')
  const headers: Record<string, string | undefined> = {
    ...lowerCased(settings.headers),
    ...lowerCased(options.headers ?? {}),
    // At least as high as JSON: errors come with pointers.
    accept: `${acceptOf(operation, options)}, application/problem+json`,
    authorization: operation.isOpen ? undefined : `Bearer ${await settings.currentKey()}`,
    'content-type': file ? options.type : body === undefined ? undefined : 'application/json',
    'idempotency-key': idempotencyKey,
    'if-match': options.ifMatch,
    'if-none-match': options.ifNoneMatch,
    prefer: preferences.join(', ') || undefined,
  }
  const sent = Object.entries(headers).filter((entry) => entry[1] !== undefined)
  return {
    url: `${settings.baseUrl}${path}${queryOf(query ?? {})}`,
    method: operation.method,
    headers: checkHeaders(Object.fromEntries(sent) as Record<string, string>),
    body: file ?? (body === undefined ? undefined : stringifyJson(body)),
    idempotencyKey,
  }
}

/** RFC 9110, section 5: a token, and visible characters, blanks and tabs. */
const headerName = /^[!#$%&'*+.^`|~\w-]+$/
const headerValue = /^[\t -~\x80-\xff]*$/

function acceptOf({ accept = 'application/json', isFile }: Operation, { format }: AnyOptions) {
  if (!isFile) return accept
  return format === 'ndjson' ? 'application/x-ndjson' : 'text/csv'
}

/** The platform would refuse it in each attempt, like a connection that breaks. */
function checkHeaders(headers: Record<string, string>): Record<string, string> {
  for (const [name, value] of Object.entries(headers)) {
    if (headerName.test(name) && headerValue.test(value)) continue
    throw new PetstoreConfigurationError(`The header ${JSON.stringify(name)} cannot be sent.`)
  }
  return headers
}

/** A path would end before such an id, or go back: the request would reach another operation. */
function segmentOf(id: string): string {
  if (!/^\.{0,2}$/.test(id)) return id
  throw new RangeError(`${JSON.stringify(id)} is no id.`)
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
}

function preferencesOf(headers: Record<string, string>): string[] {
  const { prefer } = lowerCased(headers)
  return prefer === undefined ? [] : [prefer]
}

function queryOf(query: Record<string, unknown>): string {
  const parameters = Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined) return []
    const values: unknown[] = Array.isArray(value) ? value : [value]
    if (values.length > 0) return values.map((one) => [name, textOf(name, one)])
    // Without the parameter, the service would list all records.
    throw new RangeError(`${name} is an empty list, which matches nothing: send no request.`)
  })
  return parameters.length === 0 ? '' : `?${new URLSearchParams(parameters)}`
}

function textOf(name: string, value: unknown): string {
  const isText = ['string', 'bigint', 'boolean'].includes(typeof value)
  if (isText || Number.isSafeInteger(value)) return String(value)
  throw new RangeError(
    `${name} is ${value}: it must be an integer that a double holds exactly, or a bigint.`,
  )
}

/** 128 random bits. `crypto.randomUUID` is missing on pages that are not served with HTTPS. */
function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
