import type { Lifecycle } from '../contract/operation.ts'

/** A request's target and `Host` are in its header block of 16 KiB; a link may percent-encode each of their bytes. */
const linkMax = 131_072
export const locationMax = 32_768

/** The base address of the examples in a document that no store serves. */
export const localBaseUrl = 'http://127.0.0.1:8080/v1'

type HeaderSchema = { maxLength: number; [keyword: string]: unknown }

const text = (description: string, example: string, schema: HeaderSchema) => ({
  description,
  schema: { type: 'string', ...schema },
  example,
})

/** For responses about the method, which belong to no operation. */
export const allowHeader = text('The methods of this path.', 'GET, HEAD, OPTIONS, POST', {
  maxLength: 100,
  pattern: '^[A-Z]+(, [A-Z]+)*$',
})

/** Every header of an operation's responses. */
const headers = {
  'X-Request-Id': text(
    'Identifies this request in the log of the service: your own id if you sent one in a form that is taken.',
    '6f1d2c3b4a59-1',
    { maxLength: 128, pattern: '^[!-~]+$' },
  ),
  'X-Content-Type-Options': text('Always `nosniff`.', 'nosniff', {
    const: 'nosniff',
    maxLength: 7,
  }),
  'Cache-Control': text(
    '`private, no-cache` in responses with an `ETag`, else `no-store`.',
    'no-store',
    { enum: ['no-store', 'private, no-cache'], maxLength: 17 },
  ),
  'WWW-Authenticate': text(
    'How to authenticate, and what was wrong (RFC 6750).',
    'Bearer realm="petstore"',
    { maxLength: 1_000, pattern: '^Bearer ' },
  ),
  'Retry-After': text('Seconds to wait before a retry.', '1', {
    maxLength: 10,
    pattern: '^[0-9]+$',
  }),
  Location: text('The address of the new record.', `${localBaseUrl}/pets/1`, {
    format: 'uri',
    maxLength: locationMax,
  }),
  ETag: text('A strong entity tag of the record (RFC 9110).', '"fQ6mCl2fPSHUlDJYwsYeqS"', {
    maxLength: 128,
    pattern: '^"[^"]+"$',
  }),
  NextPage: text(
    'The next page with `rel="next"`, as an absolute address; absent on the last page (RFC 8288).',
    `<${localBaseUrl}/pets?limit=20&cursor=AQAAAAAAAAAUUTA8Fw>; rel="next"`,
    { maxLength: linkMax, pattern: '^<[^>]+>; rel="next"$' },
  ),
  SuccessorVersion: text(
    'The same record by the replacement of this operation, with `rel="successor-version"` (RFC 5829).',
    `<${localBaseUrl}/pets?id=1>; rel="successor-version"`,
    { maxLength: linkMax, pattern: '^<[^>]+>; rel="successor-version"$' },
  ),
  Deprecation: text('Since when the operation is deprecated (RFC 9745).', '@1795132800', {
    maxLength: 20,
    pattern: '^@[0-9]+$',
  }),
  Sunset: text('When the operation is removed (RFC 8594).', 'Thu, 05 Dec 2030 00:00:00 GMT', {
    maxLength: 29,
    pattern: ' GMT$',
  }),
  'X-Total-Count': text('How many records match; sent with `Prefer: count=exact`.', '42', {
    maxLength: 19,
    pattern: '^[0-9]+$',
  }),
  'Idempotency-Replayed': text(
    '`true` if this repeats the response to an earlier request with the same `Idempotency-Key`.',
    'true',
    { const: 'true', maxLength: 4 },
  ),
  'Preference-Applied': text(
    'The preferences that were honoured (RFC 7240): `count=exact`, `handling=strict`, or both.',
    'handling=strict',
    { maxLength: 100, pattern: '^(count=exact|(count=exact, )?handling=strict)$' },
  ),
  'Petstore-Ignored': text(
    'The unknown query parameters and body members that were ignored: at most ten, percent-encoded, long names shortened. `Prefer: handling=strict` refuses them.',
    'stats, colour',
    { maxLength: 4_000, pattern: "^[A-Za-z0-9!'()*._~%, -]*$" },
  ),
  Vary: text(
    'The request headers that the response depends on (RFC 9110). Where pages of some origins may use the service, every response has `Origin`.',
    'Accept-Encoding',
    { maxLength: 100, pattern: '^[A-Za-z-]+(, [A-Za-z-]+)*$' },
  ),
  'Content-Encoding': text('How the body is compressed; absent where it is not.', 'br', {
    enum: ['br', 'gzip'],
    maxLength: 4,
  }),
  'Petstore-Scopes': text(
    'The scopes of the API key, separated by spaces: in responses to `Prefer: scopes`, and in every 403.',
    'pets:read pets:write',
    { maxLength: 500, pattern: '^([a-z]+:[a-z]+( [a-z]+:[a-z]+)*)?$' },
  ),
} as const

export type HeaderName = keyof typeof headers

/** `components.headers`, whose examples have this base address. */
export function headersAt(baseUrl: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, header]) => [
      name,
      { ...header, example: header.example.replace(localBaseUrl, baseUrl) },
    ]),
  )
}

/** Components with a name other than the header's, since two Link headers differ in meaning. */
const nameOf: Partial<Record<HeaderName, string>> = { NextPage: 'Link', SuccessorVersion: 'Link' }

const headersOfEveryResponse: readonly HeaderName[] = [
  'X-Request-Id',
  'X-Content-Type-Options',
  'Cache-Control',
]

export function referHeaders(names: readonly HeaderName[]): Record<string, unknown> {
  return Object.fromEntries(
    [...headersOfEveryResponse, ...names].map((name) => [
      nameOf[name] ?? name,
      { $ref: `#/components/headers/${name}` },
    ]),
  )
}

/** What tells a client about names that it mistyped, and about its key. */
export const headersOfSuccess: readonly HeaderName[] = [
  'Preference-Applied',
  'Petstore-Ignored',
  'Petstore-Scopes',
]

export function lifecycleHeaderNames({ deprecation }: Lifecycle): HeaderName[] {
  return deprecation ? ['Deprecation', 'Sunset', 'SuccessorVersion'] : []
}
