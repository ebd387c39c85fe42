import type { Lifecycle } from '../http/operation.ts'

const text = (description: string, example: string, more: object = {}) => ({
  description,
  schema: { type: 'string', ...more },
  example,
})

/** In answers about the method, which no operation gives. */
export const allowHeader = text('The methods that this path has.', 'GET, HEAD, OPTIONS, POST')

/** Every header that an operation's answer can carry. */
export const headers = {
  'X-Request-Id': text(
    'Names this request in our log; your own is kept where you send one.',
    '6f1d2c3b4a59-1',
  ),
  'X-Content-Type-Options': text('Always `nosniff`.', 'nosniff', { const: 'nosniff' }),
  'Cache-Control': text(
    '`private, no-cache` where there is an `ETag`, else `no-store`.',
    'no-store',
  ),
  'WWW-Authenticate': text(
    'How to authenticate, and what was wrong (RFC 6750).',
    'Bearer realm="petstore"',
  ),
  'Retry-After': text('Seconds after which it is worth another try.', '1', { pattern: '^[0-9]+$' }),
  Location: text('The address of what was created.', 'http://127.0.0.1:8080/v1/pets/1', {
    format: 'uri',
  }),
  ETag: text('A strong entity tag of the record (RFC 9110).', '"eYQM1htGdlQE3zqj5pSyYj"'),
  NextPage: text(
    'The next page with `rel="next"`, an absolute address; absent on the last page (RFC 8288).',
    '<http://127.0.0.1:8080/v1/pets?limit=20&cursor=AQAAAAAAAAAUUTA8Fw>; rel="next"',
  ),
  SuccessorVersion: text(
    'What replaces this operation, with `rel="successor-version"` (RFC 5829).',
    '<http://127.0.0.1:8080/v1/pets>; rel="successor-version"',
  ),
  Deprecation: text('Since when the operation is deprecated (RFC 9745).', '@1795132800', {
    pattern: '^@[0-9]+$',
  }),
  Sunset: text('When the operation is removed (RFC 8594).', 'Thu, 05 Dec 2030 00:00:00 GMT'),
  'X-Total-Count': text('How many records match, where `Prefer: count=exact` asked for it.', '42', {
    pattern: '^[0-9]+$',
  }),
  'Idempotency-Replayed': text(
    '`true` where the request was answered before: this is that answer again.',
    'true',
    { const: 'true' },
  ),
  'Preference-Applied': text('`count=exact`, where it was asked for (RFC 7240).', 'count=exact'),
} as const

export type HeaderName = keyof typeof headers

/** Components whose name differs from that of the header, since two lists of links mean two things. */
const nameOf: Partial<Record<HeaderName, string>> = { NextPage: 'Link', SuccessorVersion: 'Link' }

const headersOfEveryAnswer: readonly HeaderName[] = [
  'X-Request-Id',
  'X-Content-Type-Options',
  'Cache-Control',
]

export function referHeaders(names: readonly HeaderName[]): Record<string, unknown> {
  return Object.fromEntries(
    [...headersOfEveryAnswer, ...names].map((name) => [
      nameOf[name] ?? name,
      { $ref: `#/components/headers/${name}` },
    ]),
  )
}

export function lifecycleHeaderNames({ deprecation }: Lifecycle): HeaderName[] {
  return deprecation ? ['Deprecation', 'Sunset', 'SuccessorVersion'] : []
}
