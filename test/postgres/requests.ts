import fc from 'fast-check'
import { anyCodePoint } from '../harness/any-code-point.ts'

/** A request with values of earlier responses: a URL, or the `ETag` of a conditional request. */
export type Request = {
  method: string
  url: string | { from: 'locations' | 'links'; index: number }
  headers: Record<string, string>
  etag: number | undefined
  body: string | undefined
  key: 'own' | 'none' | 'reader' | 'revoked' | 'brief' | 'unknown' | 'foreign'
}
export type Step = { request: Request; waitsMs: number }

const integers = fc.oneof(
  fc.constantFrom('0', '1', '7', '-1', '9223372036854775807', '-9223372036854775808', '1e2', '2.0'),
  fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map(String),
)
/** Texts that the two engines might store, compare or truncate differently. */
const names = fc.oneof(
  fc.string({ minLength: 1, maxLength: 30 }),
  fc.string({ unit: anyCodePoint, minLength: 1, maxLength: 30 }),
  fc.constantFrom(
    'Rex',
    ' Rex ',
    'rex',
    'Žofka',
    'e\u0301',
    '\u00e9',
    '🐕‍🦺',
    "'; --",
    '\\',
    '\\u0000',
  ),
  fc.constantFrom('?1', '$1', '{a,b}', 'NULL', '', ' ', '\u0000', 'a\u0000b', '\ud800', '\ufeff'),
  fc.constantFrom('x'.repeat(1000), '😀'.repeat(1000), 'x'.repeat(1001)),
)
const statuses = fc.constantFrom('"available"', '"pending"', '"sold"')
const wrong = fc.constantFrom('null', '"7"', '9223372036854775808', '1.5', '[]', '{}', 'true', '""')

/** JSON texts rather than values: integers beyond doubles must arrive unchanged. */
const pets = fc
  .record({
    name: fc.oneof({ weight: 9, arbitrary: names.map((name) => JSON.stringify(name)) }, wrong),
    categoryId: fc.oneof({ weight: 9, arbitrary: integers }, wrong),
    status: fc.option(fc.oneof({ weight: 9, arbitrary: statuses }, wrong), { nil: undefined }),
    more: fc.option(fc.constantFrom('"id": 5', '"x": {"y": [1]}'), { nil: undefined, freq: 8 }),
  })
  .map(({ name, categoryId, status, more }) => {
    const members = [`"name": ${name}`, `"categoryId": ${categoryId}`]
    if (status !== undefined) members.push(`"status": ${status}`)
    if (more !== undefined) members.push(more)
    return `{${members.join(', ')}}`
  })
const bodies = fc.oneof(
  { weight: 12, arbitrary: pets },
  fc.constantFrom('', '{', '[]', 'null', '{"name":"Rex"}', '{"categoryId":1}', '{"name":1,}'),
)

const parameter = (name: string, values: readonly string[]) =>
  fc.constantFrom(...values).map((value) => `${name}=${encodeURIComponent(value)}`)
const someIds = fc
  .array(fc.oneof(fc.integer({ min: 1, max: 12 }).map(String), integers), {
    minLength: 1,
    maxLength: 4,
  })
  .map((ids) => ids.map((id) => `id=${id}`).join('&'))
const pageParameters = fc.oneof(
  parameter('limit', ['1', '2', '3', '20', '100', '0', '101', '01', 'x']),
  parameter('sort', ['id', '-id', '-id', 'name']),
  parameter('cursor', ['', 'x', 'AAAA', 'AQAAAAAAAAAB']),
  parameter('unknown', ['1']),
)
const queryOf = (own: fc.Arbitrary<string>) =>
  fc
    .array(fc.oneof({ weight: 2, arbitrary: own }, pageParameters), { maxLength: 4 })
    .map((parameters) => (parameters.length === 0 ? '' : `?${parameters.join('&')}`))
const petsQueries = queryOf(
  fc.oneof(
    parameter('status', ['available', 'pending', 'sold', 'gone']),
    integers.map((id) => `categoryId=${id}`),
    parameter('categoryId', ['7', '1', '0']),
    parameter('name', ['r', 'REX', ' ', 'x', 'e', 'É', 'ž', '🐕', '\\', "'", '$1', '', '\u0000']),
    fc
      .string({ unit: anyCodePoint, minLength: 1, maxLength: 2 })
      .map((name) => `name=${encodeURIComponent(name)}`),
    someIds,
    fc.integer({ min: 1, max: 12 }).map((id) => `id=${id}`),
  ),
)
const ordersQueries = queryOf(
  fc.oneof(
    parameter('status', ['pending', 'shipped', 'delivered', 'cancelled', 'gone']),
    parameter('petId', ['1', '2', '3', '9223372036854775807', '-1', 'x']),
  ),
)
const ids = fc.oneof(
  fc.integer({ min: 0, max: 15 }).map(String),
  fc.constantFrom(
    '9223372036854775807',
    '9223372036854775808',
    '01',
    '-1',
    'x',
    '1.0',
    '%31',
    '99999',
  ),
)

const keys = fc.oneof(
  { weight: 20, arbitrary: fc.constant('own' as const) },
  fc.constantFrom('none', 'reader', 'revoked', 'brief', 'unknown', 'foreign'),
)
const headers = fc
  .record(
    {
      prefer: fc.constantFrom('count=exact', 'count=exact', 'count=none', 'return=minimal'),
      accept: fc.constantFrom('application/problem+json', 'text/html', '*/*'),
      'if-none-match': fc.constantFrom('*', '"x"', 'W/"x", "y"'),
    },
    { requiredKeys: [] },
  )
  .filter((record) => Object.keys(record).length < 3)
const read = fc.constantFrom('GET', 'GET', 'GET', 'GET', 'HEAD')
const index = fc.nat({ max: 50 })
const etag = fc.option(index, { nil: undefined, freq: 3 })
const nothing = fc.constant(undefined)

const creates = fc.record({
  method: fc.constant('POST'),
  url: fc.constant('/v1/pets'),
  headers: fc.constantFrom(
    {},
    { 'content-type': 'application/json' },
    { accept: 'application/problem+json' },
  ),
  etag: nothing,
  body: bodies,
  key: keys,
})
const readsOf = (url: fc.Arbitrary<Request['url']>): fc.Arbitrary<Request> =>
  fc.record({ method: read, url, headers, etag, body: nothing, key: keys })

/** Requests a pet in both ways, on the condition that it has changed since its creation. */
const conditionals: fc.Arbitrary<Request> = fc
  .tuple(fc.nat({ max: 9 }), fc.constantFrom('/v1/pets/', '/v1/pets?id='), read)
  .map(([at, url, method]) => ({
    method,
    url: `${url}${at + 1}`,
    headers: {},
    etag: at,
    body: undefined,
    key: 'own',
  }))

const requests: fc.Arbitrary<Request> = fc.oneof(
  { weight: 6, arbitrary: creates },
  { weight: 5, arbitrary: readsOf(petsQueries.map((query) => `/v1/pets${query}`)) },
  { weight: 3, arbitrary: readsOf(index.map((at) => ({ from: 'links' as const, index: at }))) },
  { weight: 2, arbitrary: readsOf(index.map((at) => ({ from: 'locations' as const, index: at }))) },
  { weight: 2, arbitrary: conditionals },
  { weight: 2, arbitrary: readsOf(ids.map((id) => `/v1/pets/${id}`)) },
  { weight: 2, arbitrary: readsOf(ordersQueries.map((query) => `/v1/store/orders${query}`)) },
)
/** Enough for the short-lived key to expire; sometimes enough for the removal of an operation. */
const waits = fc.oneof(
  { weight: 90, arbitrary: fc.constant(0) },
  { weight: 9, arbitrary: fc.constant(600) },
  { weight: 1, arbitrary: fc.constant(4 * 366 * 86_400_000) },
)

/** What one client does with a store that is empty at first. */
export const sessions: fc.Arbitrary<Step[]> = fc.array(
  fc.record({ request: requests, waitsMs: waits }),
  { minLength: 5, maxLength: 40, size: 'max' },
)
