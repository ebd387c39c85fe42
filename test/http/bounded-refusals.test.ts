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
type Request = {
  headers?: Record<string, string>
  url?: string
  rawBody?: string
  isList?: true
}

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
  filled(size, '"', '\\u0001', '"'),
  filled(size / 3, '"', '\uffff', '"'),
  filled(size, '', '9'),
  filled(size, '1e', '9'),
  filled(size, '{"', escaped, '":1}'),
  filled(size, '{"', keyStart, '":1}'),
  filled(size, '[', '{},', '}'),
  `{${Array.from({ length: size / 16 }, (_, index) => `"member${index}":1`).join()}}`,
]

/** Lists of as many wrong items as fit, and of as many as are judged, small ones and large ones. */
function wrongLists(size: number, { maxItems = 1, items }: Schema): string[] {
  const room = Math.floor(size / maxItems) - 1
  const names = Object.keys(items?.properties ?? {})
  const value = filled(Math.floor(room / (names.length + 1)) - 20, '"', escaped, '"')
  const members = names.map((name) => `"${name}":${value}`)
  const large = names.length > 0 ? `{${members.join()}}` : filled(room, '"', escaped, '"')
  const judged = ['1', '{}', large].map((item) => `[${Array(maxItems).fill(item).join()}]`)
  return [filled(size, '[', '1,', '1]'), ...judged]
}

/** The worst requests for an operation. */
function* worstRequests({ query, body, pathParameters, returns }: Operation): Generator<Request> {
  const ofPages = returns === 'page' ? pageParameters.properties : {}
  for (const name of Object.keys({ ...ofPages, ...query?.properties })) {
    yield { url: filled(headersSize, '?', `${name}=x&`) }
    yield { url: filled(headersSize, `?${name}=`, '%22') }
  }
  yield { url: filled(headersSize, '?', '%E2%82%AC') }
  yield { url: filled(headersSize, '?', `${keyStart}&`) }
  if (pathParameters) yield { url: filled(headersSize, '/', '%22') }
  if (!body) return
  for (const name of ['content-type', 'content-encoding'])
    yield { headers: { [name]: filled(headersSize, '', '"') }, rawBody: '{}' }
  const { schema, sizeMaxBytes } = contentOf(body)
  if (!schema) return
  for (const rawBody of wrongValues(sizeMaxBytes)) yield { rawBody }
  for (const [name, member] of Object.entries((schema as Schema).properties ?? {})) {
    const size = sizeMaxBytes - name.length - 5
    const within = (value: string) => `{"${name}":${value}}`
    for (const value of wrongValues(size)) yield { rawBody: within(value) }
    const list = [member, ...(member.anyOf ?? [])].find(({ type }) => type === 'array')
    for (const value of list ? wrongLists(size, list) : [])
      yield { rawBody: within(value), isList: true }
  }
}

const everywhere: Request[] = [
  'idempotency-key',
  'if-match',
  'prefer',
  'range',
  'expect',
  'host',
].map((name) => ({ headers: { [name]: filled(headersSize, '', '"') } }))

type Cost = { status: number; elapsedMs: number; allocated: number; sizeBytes: number }

/** What a request costs, the checks of the test included. */
async function costOf(api: TestApi, method: string, url: string, sent: object): Promise<Cost> {
  const startMs = performance.now()
  const { total_allocated_bytes: before } = getHeapStatistics()
  const { status, text, headers } = await api.send(method, url, sent)
  const allocated = getHeapStatistics().total_allocated_bytes - before
  const sizeBytes = Buffer.byteLength(text) + JSON.stringify(headers).length
  return { status, elapsedMs: performance.now() - startMs, allocated, sizeBytes }
}

/** Fails unless a request takes a short time and little memory, and its refusal is small. */
async function checkCost(api: TestApi, method: string, url: string, request: Request, key?: null) {
  const { rawBody = '', headers } = request
  const where = `${method} ${url.slice(0, 60)} ${JSON.stringify(headers).slice(0, 60)} ${rawBody.slice(0, 40)}`
  const sent = {
    headers: { prefer: 'handling=strict', ...headers },
    ...(rawBody && { rawBody }),
    ...(key === null && { key }),
  }
  const isDear = ({ elapsedMs, allocated }: Cost) =>
    elapsedMs > elapsedMaxMs || allocated > allocatedMax(rawBody.length)
  let cost = await costOf(api, method, url, sent)
  // The first request of an operation compiles its schemas.
  if (isDear(cost)) cost = await costOf(api, method, url, sent)
  const { status, sizeBytes } = cost
  assert.ok(!isDear(cost) && status < 500, `${where}: ${JSON.stringify(cost)}`)
  assert.ok(status < 400 || sizeBytes <= responseMaxBytes, `${where}: ${sizeBytes} bytes`)
  return status
}

it('400 to 422: the worst requests that schemas and sizes admit get small responses, in little time and memory', async () => {
  const { api } = await startApp()
  const seen = new Map<number, number>()
  const requests = contract.flatMap((operation) =>
    [...worstRequests(operation), ...everywhere].flatMap((request) =>
      ['application/json', 'application/problem+json'].map((accept) => ({
        operation,
        request: { ...request, headers: { accept, ...request.headers } },
      })),
    ),
  )
  const taken = requests.filter(({ request: { isList } }, at) => isFull || isList || at % 9 === 0)
  for (const { operation, request } of taken) {
    const { method, path, scope } = operation
    const ownPath = request.url?.startsWith('/') ? path.replace(/\/\{\w+\}$/, '') : path
    const url = `/v1${ownPath.replace(/\{\w+\}/g, '1')}${request.url ?? ''}`
    const status = await checkCost(api, method, url, request, scope === 'public' ? null : undefined)
    seen.set(status, (seen.get(status) ?? 0) + 1)
  }
  for (const status of [400, 404, 415]) assert.ok(seen.get(status), `${status} was not met`)
})

it('400: a body is refused by the first hundred of its problems, and the number of the others', async () => {
  const { api } = await startApp()
  const many = { changes: Array.from({ length: 1_000 }, () => ({})) }
  const twice = { changes: many.changes.map(() => ({ id: 1, delete: true })) }
  const tooMany = { changes: [...many.changes, {}] }
  for (const [body, count, others] of [
    [many, 100, 900],
    [twice, 100, 899],
  ] as const) {
    const plain = await api.post('/v1/pets/batch', body)
    expectError(plain, 400, 'invalid_body')
    const { message } = plain.json() as { message: string }
    assert.equal(message.split('; ').length, count + 1)
    assert.match(message, new RegExp(`; and ${others} more\\.$`))
    const headers = { accept: 'application/problem+json' }
    const problem = (await api.post('/v1/pets/batch', body, { headers })).json() as {
      detail: string
      errors: unknown[]
    }
    assert.deepEqual([problem.detail, problem.errors.length], [message, count])
  }
  const { text } = await api.post('/v1/pets/batch', tooMany)
  assert.match(text, /"changes must be an array of 1 to 1000 changes; received an array\."/)
  // A list that may be null too: each wrong item once, and nothing about the list.
  const { json } = await api.send('PATCH', '/v1/webhooks/1', { body: { types: [1, 2] } })
  const { message } = json() as { message: string }
  const wrong = [0, 1].map(
    (index) =>
      `types.${index} must be a type of event, such as order.placed; received ${index + 1}`,
  )
  assert.equal(message, `${wrong.join('; ')}.`)
})

it('422: an imported file of wrong rows is refused by a hundred of their problems', async () => {
  const { api } = await startApp()
  const headers = { accept: 'application/problem+json', 'content-type': 'text/csv' }
  const row = `"${'""'.repeat(200)}","${'""'.repeat(200)}","${'""'.repeat(200)}"\n`
  const rawBody = `id,categoryId,status\n${row.repeat(1_000)}`

  const refused = await api.send('POST', '/v1/pets/import', { headers, rawBody })
  const report = await api.send('POST', '/v1/pets/import?onError=skip', { headers, rawBody })

  assert.equal(refused.status, 422, refused.text)
  assert.ok(refused.text.length < responseMaxBytes)
  assert.match(refused.text, /1000 of 1000 rows are wrong/)
  const { refused: count, problems } = report.json() as { refused: number; problems: unknown[] }
  assert.deepEqual([count, problems.length], [1_000, 100])
})
