import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import { it } from 'node:test'
import { checkAnswers } from '../../bench/harness/check-answers.ts'
import { pageOf, recordOf, walk } from '../../bench/harness/pages.ts'
import { checkReplay } from '../../bench/harness/record.ts'

const key = 'right'
const pets = 100_000
const reads = { reads: 'first page', writeShare: 0 } as const
const onePet = { reads: 'pets', writeShare: 0 } as const
const creates = { reads: 'first page', writeShare: 1 } as const

type Answer = { status: number; body?: string; headers?: Record<string, string> }
/** Serves the requests that match the pattern, as `METHOD path authorization body`. */
type Fault = [RegExp, Answer]

/** A server that responds correctly except for one fault. */
async function startServer([pattern, wrong]: Fault = [/^never$/, { status: 500 }]) {
  const created = new Map<string, string>()

  function answerTo(method: string, path: string, body: string): Answer {
    const url = new URL(path, 'http://127.0.0.1')
    if (method === 'POST') return create(parsed(body))
    const id = url.pathname.split('/')[3]
    if (id === undefined) return list(url.searchParams)
    if (created.has(id)) return { status: 200, body: created.get(id) ?? '' }
    if (Number(id) > pets) return { status: 404 }
    return { status: 200, body: JSON.stringify(recordOf(Number(id))) }
  }

  function create(body: Record<string, unknown>): Answer {
    const { name, categoryId, status } = body
    const isName =
      typeof name === 'string' && /^.{0,999}\S.{0,999}$/.test(name) && name.length <= 1_000
    const isStatus = status === undefined || status === 'available'
    if (!isName || !Number.isInteger(categoryId) || !isStatus) return { status: 400 }
    const id = pets + created.size + 1
    const record = JSON.stringify({ id, ...body })
    created.set(String(id), record)
    return { status: 201, body: record, headers: { location: `/v1/pets/${id}` } }
  }

  const server = createServer(async (request, response) => {
    const { url = '', method = '', headers } = request
    const { authorization = '' } = headers
    const body = await textOf(request)
    const isMet = pattern.test(`${method} ${url} ${authorization} ${body}`)
    const correct = () =>
      authorization === `Bearer ${key}` ? answerTo(method, url, body) : { status: 401 }
    const answer: Answer = isMet ? wrong : correct()
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
    response.end(answer.body ?? '{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    ...{ name: 'a server', key, pid: 0 },
    baseUrl: `http://127.0.0.1:${port}/v1`,
    stop: async () => undefined,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function list(query: URLSearchParams): Answer {
  const limit = Number(query.get('limit') ?? '20')
  const after = Number(query.get('cursor') ?? '0')
  const isValid = limit >= 1 && limit <= 100 && after >= 0 && !query.has('status', 'lost')
  if (!isValid) return { status: 400 }
  const ids = Array.from({ length: limit }, (_, index) => after + index + 1)
  const link = `<http://127.0.0.1/v1/pets?limit=${limit}&cursor=${after + limit}>; rel="next"`
  return { status: 200, body: pageOf(ids), headers: after + limit < 60 ? { link } : {} }
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const sixty = Array.from({ length: 60 }, (_, index) => index + 1)
const firstPage = pageOf(sixty.slice(0, 20))

it('accepts a server that responds correctly', async () => {
  await using server = await startServer()

  for (const workload of [reads, onePet, creates]) await checkAnswers(server, workload)
})

const faults: [string, typeof reads | typeof onePet | typeof creates, ...Fault][] = [
  ['accepts any key', reads, /^GET \/v1\/pets /, { status: 200 }],
  ['returns a short page', reads, /limit=20 /, { status: 200, body: pageOf([1, 2, 3]) }],
  ['has a pet for every id', onePet, /\/999999999 /, { status: 200 }],
  ['converts text to a number', creates, /"7"/, { status: 201, body: '{"id":1,"name":"Rex"}' }],
  ['loses an acknowledged pet', creates, /^GET \/v1\/pets\/100\d+ Bearer right /, { status: 404 }],
]

for (const [what, workload, ...fault] of faults) {
  it(`rejects a server that ${what}`, async () => {
    await using server = await startServer(fault)

    await assert.rejects(checkAnswers(server, workload), /^Error: .+ returned \d{3} /)
  })
}

it('rejects a server that acknowledges a create before its sync', async () => {
  await using server = await startServer()
  const syncs = { env: {}, count: () => 7, delay: () => undefined }

  await assert.rejects(
    checkAnswers({ ...server, syncs }, creates),
    /a create is acknowledged before it is synced/,
  )
})

it('paging that meets a pet twice, or ends too early or too late, is wrong', async () => {
  const body = pageOf(sixty.slice(19, 39))
  await using server = await startServer([/cursor=20 /, { status: 200, body }])
  await using correct = await startServer()

  await assert.rejects(walk(server, { filter: '', ids: sixty }), /not the page/)
  await assert.rejects(walk(correct, { filter: '', ids: sixty.slice(0, 40) }), /next link/)
  await assert.rejects(walk(correct, { filter: '', ids: [...sixty, 61] }), /next link/)
})

it('raw node:http must send the headers and the bytes of our service', async () => {
  await using ours = await startServer()
  await using same = await startServer()
  await using withoutLink = await startServer([/^GET /, { status: 200, body: firstPage }])
  const otherBody = '{"id":1,"name":"Luna"}'
  await using otherPet = await startServer([/^POST /, { status: 201, body: otherBody }])
  const paths = ['/v1/pets?limit=20']

  await checkReplay(ours, same, paths)
  await assert.rejects(checkReplay(ours, withoutLink, paths), /limit=20 returned/)
  await assert.rejects(checkReplay(ours, otherPet, paths), /^Error: a create returned/)
})
