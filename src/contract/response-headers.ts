import { type ErrorCode, errorKindOf } from './error-codes.ts'
import { isChosenByAccept, isCompressible, type Operation } from './operation.ts'

/** A request's target and `Host` are in its header block of 16 KiB; a link may percent-encode each of their bytes. */
const linkMax = 131_072
export const locationMax = 32_768

/** The base address of the examples in a document that no store serves. */
export const localBaseUrl = 'http://127.0.0.1:8080/v1'

/** A response of an operation, or of none: an error before its route is known, the response to OPTIONS. */
export type ResponseKind = {
  kind: 'success' | 'partial' | 'notModified' | 'error' | 'methods' | 'frontDoor'
  operation?: Operation | undefined
  /** Whether it tells of a new record where its operation also returns others. */
  isNew?: boolean
  /** The codes that an error may have. */
  codes?: readonly ErrorCode[]
}

type ResponseHeader = {
  description: string
  example: string
  schema: { maxLength: number; [keyword: string]: unknown }
  /** The name of the header, where two that differ in meaning share one. */
  name?: string
  /** The responses that may have it. */
  isOn(response: ResponseKind): boolean
  /** Whether pages of other origins may read it (`Access-Control-Expose-Headers`); true when absent. */
  isExposed?: false
}

const always = () => true
/** Where there is a key, and `Prefer` is read. */
const onSuccess = ({ kind, operation }: ResponseKind) =>
  (kind === 'success' || kind === 'partial') && operation?.scope !== 'public'
const onTagged = ({ kind, operation }: ResponseKind) =>
  kind !== 'error' && operation !== undefined && hasTag(operation)
/** Where the key was checked. */
const onKeyed = ({ kind, operation, codes }: ResponseKind) =>
  kind !== 'methods' &&
  operation !== undefined &&
  operation.scope !== 'public' &&
  !codes?.includes('missing_api_key')
const onFile = ({ kind, operation }: ResponseKind) =>
  kind !== 'error' && operation?.returns === 'file'
const onUploaded = ({ kind, operation }: ResponseKind) =>
  (kind === 'success' || kind === 'partial') && operation?.isUploaded === true
const onCompressed = (response: ResponseKind) =>
  (onFile(response) && isCompressible(response.operation as Operation)) ||
  (response.kind === 'success' &&
    response.operation?.returns === 'stream' &&
    !response.operation.isEndless)
const onNegotiated = ({ kind, operation }: ResponseKind) =>
  kind !== 'error' &&
  operation !== undefined &&
  (operation.alternative !== undefined || isChosenByAccept(operation))
const onDeprecated = ({ operation }: ResponseKind) => operation?.lifecycle.deprecation !== undefined
const onCode =
  (...wanted: ErrorCode[]) =>
  ({ codes = [] }: ResponseKind) =>
    wanted.some((code) => codes.includes(code))

/** Whether an operation responds with the entity tag of a record. */
function hasTag({ hasEntityTag, entityTagFilter, returns }: Operation): boolean {
  return hasEntityTag === true || entityTagFilter !== undefined || returns === 'file'
}

/**
 * Every response header, and the responses that may have it. The document, the reference, CORS and the headers of a 304
 * follow from this table.
 */
export const responseHeaders = {
  'X-Request-Id': {
    description:
      'Identifies this request in the log of the service: your own id if you sent one whose form is accepted.',
    example: '6f1d2c3b4a59-1',
    schema: { maxLength: 128, pattern: '^[!-~]+$' },
    isOn: always,
  },
  'X-Content-Type-Options': {
    description: 'Always `nosniff`.',
    example: 'nosniff',
    schema: { const: 'nosniff', maxLength: 7 },
    isOn: always,
    isExposed: false,
  },
  'Cache-Control': {
    description: '`private, no-cache` in responses with an `ETag`, else `no-store`.',
    example: 'no-store',
    schema: { enum: ['no-store', 'private, no-cache'], maxLength: 17 },
    isOn: always,
    isExposed: false,
  },
  Allow: {
    description: 'The methods of this path.',
    example: 'GET, HEAD, OPTIONS, POST',
    schema: { maxLength: 100, pattern: '^[A-Z]+(, [A-Z]+)*$' },
    isOn: (response) => response.kind === 'methods' || onCode('method_not_allowed')(response),
    isExposed: false,
  },
  'WWW-Authenticate': {
    description: 'How to authenticate, and what was wrong (RFC 6750).',
    example: 'Bearer realm="petstore"',
    schema: { maxLength: 1_000, pattern: '^Bearer ' },
    isOn: onCode('missing_api_key', 'insufficient_scope'),
  },
  NextPage: {
    name: 'Link',
    description:
      'The next page with `rel="next"`, as an absolute address; absent on the last page (RFC 8288).',
    example: `<${localBaseUrl}/pets?limit=20&cursor=AQAAAAAAAAAUUTA8Fw>; rel="next"`,
    schema: { maxLength: linkMax, pattern: '^<[^>]+>; rel="next"$' },
    isOn: ({ kind, operation }) => kind === 'success' && operation?.returns === 'page',
  },
  'X-Total-Count': {
    description: 'How many records match; sent with `Prefer: count=exact`.',
    example: '42',
    schema: { maxLength: 19, pattern: '^[0-9]+$' },
    isOn: ({ kind, operation }) => kind === 'success' && operation?.returns === 'page',
  },
  'Petstore-Position': {
    description:
      'The end of the log when the page was read, also where the page is empty: what changes later follows this position.',
    example: '4711',
    schema: { maxLength: 19, pattern: '^[0-9]+$' },
    isOn: ({ kind, operation }) => kind === 'success' && operation?.alternative?.isEndless === true,
  },
  Location: {
    description: 'The address of the new record.',
    example: `${localBaseUrl}/pets/1`,
    schema: { format: 'uri', maxLength: locationMax },
    isOn: ({ kind, operation, isNew }) =>
      kind === 'success' && (operation?.returns === 'created' || isNew === true),
  },
  'Preference-Applied': {
    description:
      'The preferences that were honoured (RFC 7240): `count=exact`, `handling=strict`, or both.',
    example: 'handling=strict',
    schema: { maxLength: 100, pattern: '^(count=exact|(count=exact, )?handling=strict)$' },
    isOn: (response) => onSuccess(response) || onCode('invalid_parameter')(response),
  },
  'Petstore-Ignored': {
    description:
      'The unknown query parameters and body members that were ignored: at most ten, percent-encoded, long names shortened. `Prefer: handling=strict` refuses them.',
    example: 'stats, colour',
    schema: { maxLength: 4_000, pattern: "^[A-Za-z0-9!'()*._~%, -]*$" },
    isOn: onSuccess,
  },
  'Petstore-Scopes': {
    description:
      'The scopes of the API key, separated by spaces: in responses to `Prefer: scopes`, and in every 403.',
    example: 'pets:read pets:write',
    schema: { maxLength: 500, pattern: '^([a-z]+:[a-z]+( [a-z]+:[a-z]+)*)?$' },
    isOn: (response) => onSuccess(response) || onCode('insufficient_scope')(response),
  },
  'Retry-After': {
    description: 'Seconds to wait before a retry.',
    example: '1',
    schema: { maxLength: 10, pattern: '^[0-9]+$' },
    isOn: ({ codes = [] }) =>
      codes.some((code) => errorKindOf(code).retryAfterSeconds !== undefined),
  },
  'RateLimit-Policy': {
    description:
      'On responses to a key with a limit: `q` requests at once, which are available again after `w` seconds without requests (draft-ietf-httpapi-ratelimit-headers-11).',
    example: '"key";q=200;w=4',
    schema: { maxLength: 30, pattern: '^"key";q=[0-9]+;w=[0-9]+$' },
    isOn: onKeyed,
  },
  RateLimit: {
    description:
      'On responses to a key with a limit: how many requests `r` are left for the next `t` seconds.',
    example: '"key";r=199;t=1',
    schema: { maxLength: 30, pattern: '^"key";r=[0-9]+;t=1$' },
    isOn: onKeyed,
  },
  ETag: {
    description: 'A strong entity tag of the record (RFC 9110).',
    example: '"fQ6mCl2fPSHUlDJYwsYeqS"',
    schema: { maxLength: 128, pattern: '^"[^"]+"$' },
    isOn: onTagged,
  },
  'Idempotency-Replayed': {
    description:
      '`true` if this repeats the response to an earlier request with the same `Idempotency-Key`.',
    example: 'true',
    schema: { const: 'true', maxLength: 4 },
    isOn: ({ kind, operation }) => kind === 'success' && operation?.idempotency === 'replayed',
  },
  Vary: {
    description:
      'The request headers that the response depends on (RFC 9110). Where pages of some origins may use the service, every response has `Origin`.',
    example: 'Accept-Encoding',
    schema: { maxLength: 100, pattern: '^[A-Za-z-]+(, [A-Za-z-]+)*$' },
    isOn: (response) =>
      response.kind === 'frontDoor' || onNegotiated(response) || onCompressed(response),
    isExposed: false,
  },
  'Content-Encoding': {
    description: 'How the body is compressed; absent where it is not.',
    example: 'br',
    schema: { enum: ['br', 'gzip'], maxLength: 4 },
    isOn: (response) => response.kind !== 'notModified' && onCompressed(response),
    isExposed: false,
  },
  'Content-Disposition': {
    description:
      'The name under which a browser saves the file (RFC 6266); `inline` where it shows it first.',
    example: 'attachment; filename="pets-2026-11-02.csv"',
    schema: { maxLength: 100, pattern: '^(attachment|inline); filename="[a-z0-9.-]+"$' },
    isOn: (response) =>
      response.kind !== 'notModified' &&
      onFile(response) &&
      !isCompressible(response.operation as Operation),
  },
  'Content-Security-Policy': {
    description: 'A browser runs nothing in the file, and loads nothing for it.',
    example: "sandbox; default-src 'none'",
    schema: { const: "sandbox; default-src 'none'", maxLength: 27 },
    isOn: onUploaded,
    isExposed: false,
  },
  'Last-Modified': {
    description:
      'When the file was stored, to the second. `If-Modified-Since` takes it (RFC 9110).',
    example: 'Mon, 02 Nov 2026 09:30:00 GMT',
    schema: { maxLength: 29, pattern: ' GMT$' },
    isOn: onUploaded,
  },
  'Accept-Ranges': {
    description: 'Always `bytes`: requests may have a `Range`.',
    example: 'bytes',
    schema: { const: 'bytes', maxLength: 5 },
    isOn: (response) => response.kind !== 'notModified' && onFile(response),
  },
  'Content-Range': {
    description: 'The range of bytes that is sent, and the size of the whole (RFC 9110).',
    example: 'bytes 0-1023/65536',
    schema: { maxLength: 60, pattern: '^bytes ([0-9]+-[0-9]+|[*])/[0-9]+$' },
    isOn: (response) => response.kind === 'partial' || onCode('range_not_satisfiable')(response),
  },
  Deprecation: {
    description: 'On responses of a deprecated operation: since when it is (RFC 9745).',
    example: '@1795132800',
    schema: { maxLength: 20, pattern: '^@[0-9]+$' },
    isOn: onDeprecated,
  },
  Sunset: {
    description: 'On responses of a deprecated operation: when it is removed (RFC 8594).',
    example: 'Thu, 05 Dec 2030 00:00:00 GMT',
    schema: { maxLength: 29, pattern: ' GMT$' },
    isOn: onDeprecated,
  },
  SuccessorVersion: {
    name: 'Link',
    description:
      'On responses of a deprecated operation: the same record by its replacement, with `rel="successor-version"` (RFC 5829).',
    example: `<${localBaseUrl}/pets?id=1>; rel="successor-version"`,
    schema: { maxLength: linkMax, pattern: '^<[^>]+>; rel="successor-version"$' },
    isOn: onDeprecated,
  },
} as const satisfies Record<string, ResponseHeader>

const all = Object.entries(responseHeaders) as [keyof typeof responseHeaders, ResponseHeader][]

/** The headers of all responses: the key in the table, and the name as it is sent. */
export const allHeaders = all.map(([key, { name = key }]) => ({ key, name }))

/** The headers that a response may have. */
export function headersOf(response: ResponseKind): typeof allHeaders {
  return allHeaders.filter(({ key }) => responseHeaders[key].isOn(response))
}

const withheldFrom304 = new WeakMap<Operation, readonly string[]>()

/** The headers of the 200 of an operation that its 304 does not have. */
export function headersWithheldFrom304(operation: Operation): readonly string[] {
  const known = withheldFrom304.get(operation)
  if (known) return known
  const kept = new Set(headersOf({ kind: 'notModified', operation }).map(({ name }) => name))
  const sent = headersOf({ kind: 'success', operation }).map(({ name }) => name)
  const withheld = sent.filter((name) => !kept.has(name))
  withheldFrom304.set(operation, withheld)
  return withheld
}

/** The names of the headers that pages of other origins may read. */
export const exposedHeaders: readonly string[] = [
  ...new Set(
    all.flatMap(([key, { name = key, isExposed }]) => (isExposed === false ? [] : [name])),
  ),
].sort()
