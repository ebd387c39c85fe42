import assert from 'node:assert/strict'
import { it } from 'node:test'
import { getHeapStatistics } from 'node:v8'
import { contract } from '../../src/app/operations.ts'
import { contentOf, type Operation } from '../../src/contract/operation.ts'
import { pageParameters } from '../../src/contract/schemas.ts'
import { expectError, startApp, type TestApi } from '../harness/app.ts'
import { isFull } from '../harness/extent.ts'

type Schema = {
  type?: string
  items?: Schema
  maxItems?: number
  anyOf?: Schema[]
  properties?: Record<string, Schema>
}
type Request = { headers?: Record<string, string>; url?: string; rawBody?: string; isList?: true }

const responseMaxBytes = 65_536
const headersSize = 15_000
/** Many times what a body of a MiB takes. */
const elapsedMaxMs = 2_000
const allocatedMax = (bodySize: number) => 16 * 2 ** 20 + 100 * bodySize

/** A unit as often as fits between a start and an end. */
function filled(size: number, start: string, unit: string, end = ''): string {
  return start + unit.repeat((size - start.length - end.length) / unit.length) + end
}

/** A text of which each character is escaped in JSON, and again in a message. */
const escaped = String.raw`\"`
/** What begins an API key, which is masked. */
const keyStart = 'pet_test_'

/** Values that no schema admits, each of about this size. */
const wrongValues = (size: number): string[] => [
  filled(size, '[', '1,', '1]'),
  filled(size, '[', '{},', '{}]'),
  '['.repeat(size / 2) + ']'.repeat(size / 2),
  filled(size, '', '{"a":'),
  filled(size, '"', escaped, '"'),
  filled(size, '', '9'),
  filled(size, '{"', escaped, '":1}'),
  filled(size, '{"', keyStart, '":1}'),
  `{${Array.from({ length: size / 16 }, (_, index) => `"member${index}":1`).join()}}`,
]

/** As many wrong items as are judged, each as large as fits. */
function wrongList(size: number, { maxItems = 1, items }: Schema): string {
  const names = Object.keys(items?.properties ?? { a: {} })
  const value = filled(Math.floor(size / maxItems / (names.length + 1)) - 20, '"', escaped, '"')
  const item = `{${names.map((name) => `"${name}":${value}`).join()}}`
  return `[${Array(maxItems).fill(item).join()}]`
}

const headerNames = [
  ...['idempotency-key', 'if-match', 'prefer', 'range', 'expect', 'host'],
  ...['content-type', 'content-encoding'],
]

/** The worst requests for an operation. */
function* worstRequests({ query, body, pathParameters, returns }: Operation): Generator<Request> {
  const ofPages = returns === 'page' ? pageParameters.properties : {}
  for (const name of Object.keys({ ...ofPages, ...query?.properties })) {
    yield { url: filled(headersSize, '?', `${name}=x&`) }
    yield { url: filled(headersSize, `?${name}=`, '%22') }
  }
  yield { url: filled(headersSize, '?', `${keyStart}%E2%82%AC&`) }
  if (pathParameters) yield { url: filled(headersSize, '/', '%22') }
  for (const name of headerNames)
    yield { headers: { [name]: filled(headersSize, '', '"') }, ...(body && { rawBody: '{}' }) }
  if (!body) return
  const { schema, sizeMaxBytes } = contentOf(body)
  if (!schema) return
  for (const rawBody of wrongValues(sizeMaxBytes)) yield { rawBody }
  for (const [name, member] of Object.entries((schema as Schema).properties ?? {})) {
    const size = sizeMaxBytes - name.length - 5
    for (const value of wrongValues(size)) yield { rawBody: `{"${name}":${value}}` }
    const list = [member, ...(member.anyOf ?? [])].find(({ type }) => type === 'array')
    if (list) yield { rawBody: `{"${name}":${wrongList(size, list)}}`, isList: true }
  }
}

/** What a request costs, the checks of the test included. */
async function costOf(send: () => ReturnType<TestApi['send']>) {
  const startMs = performance.now()
  const { total_allocated_bytes: before } = getHeapStatistics()
  const { status, text, headers } = await send()
  const allocated = getHeapStatistics().total_allocated_bytes - before
  const sizeBytes = Buffer.byteLength(text) + JSON.stringify(headers).length
  return { status, elapsedMs: performance.now() - startMs, allocated, sizeBytes }
}

it('400 to 422: the worst requests that schemas and sizes admit get small responses, in little time and memory', async () => {
  const { api } = await startApp()
  const seen = new Set<number>()
  const requests = contract.flatMap((operation) =>
    [...worstRequests(operation)].map((request) => ({ operation, ...request })),
  )
  for (const [at, { operation, url = '', headers, rawBody = '', isList }] of requests.entries()) {
    if (!isFull && !isList && at % 17 !== 0) continue
    const { method, path, scope } = operation
    const ownPath = url.startsWith('/') ? path.replace(/\/\{\w+\}$/, '') : path
    const accept = at % 2 === 0 ? 'application/json' : 'application/problem+json'
    const sent = {
      headers: { accept, prefer: 'handling=strict', ...headers },
      ...(rawBody && { rawBody }),
      ...(scope === 'public' && { key: null }),
    }
    const send = () => api.send(method, `/v1${ownPath.replace(/\{\w+\}/g, '1')}${url}`, sent)
    const isDear = ({ elapsedMs, allocated }: Awaited<ReturnType<typeof costOf>>) =>
      elapsedMs > elapsedMaxMs || allocated > allocatedMax(rawBody.length)
    let cost = await costOf(send)
    // The first request of an operation compiles its schemas.
    if (isDear(cost)) cost = await costOf(send)
    const { status, sizeBytes } = cost
    const isBounded = status < 400 || sizeBytes <= responseMaxBytes
    const where = `${method} ${path}${url.slice(0, 60)} ${JSON.stringify(headers)?.slice(0, 60)} ${rawBody.slice(0, 40)}`
    assert.ok(!isDear(cost) && status < 500 && isBounded, `${where}: ${JSON.stringify(cost)}`)
    seen.add(status)
  }
  for (const status of [400, 404, 415]) assert.ok(seen.has(status), `${status} was not met`)
})

it('400: a body is refused by the first hundred of its problems, and the number of the others', async () => {
  const { api } = await startApp()
  const changes = Array.from({ length: 1_000 }, () => ({}))
  const headers = { accept: 'application/problem+json' }

  const plain = await api.post('/v1/pets/batch', { changes })
  const problem = await api.post('/v1/pets/batch', { changes }, { headers })
  const tooMany = await api.post('/v1/pets/batch', { changes: [...changes, {}] })
  // A list that may be null too: each wrong item once, and nothing about the list.
  const webhook = await api.send('PATCH', '/v1/webhooks/1', { body: { types: [1, 2] } })

  expectError(plain, 400, 'invalid_body')
  const { message } = plain.json() as { message: string }
  assert.equal(message.split('; ').length, 101)
  assert.match(message, /; and 900 more\.$/)
  const { detail, errors } = problem.json() as { detail: string; errors: unknown[] }
  assert.deepEqual([detail, errors.length], [message, 100])
  assert.match(tooMany.text, /"changes must be an array of 1 to 1000 changes; received an array\."/)
  const wrong =
    /"types\.0 must be a type [^;]*; received 1; types\.1 must be a type [^;]*; received 2\."/
  assert.match(webhook.text, wrong)
})

it('422: an imported file of wrong rows is refused by a hundred of their problems', async () => {
  const { api } = await startApp()
  const headers = { accept: 'application/problem+json', 'content-type': 'text/csv' }
  const row = `"${'""'.repeat(200)}","${'""'.repeat(200)}","${'""'.repeat(200)}"\n`
  const rawBody = `name,categoryId,status\n${row.repeat(1_000)}`

  const refused = await api.send('POST', '/v1/pets/import', { headers, rawBody })
  const report = await api.send('POST', '/v1/pets/import?onError=skip', { headers, rawBody })

  assert.equal(refused.status, 422, refused.text)
  assert.ok(refused.text.length < responseMaxBytes)
  assert.match(refused.text, /1000 of 1000 rows are wrong/)
  const { refused: count, problems } = report.json() as { refused: number; problems: unknown[] }
  assert.deepEqual([count, problems.length], [1_000, 100])
})
