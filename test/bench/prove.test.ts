import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import { it } from 'node:test'
import { animalOf } from '../../bench/contenders/animals.ts'
import { prove } from '../../bench/harness/prove.ts'
import { pageOf, Wrong, walk } from '../../bench/harness/survey.ts'
import { type WorkloadName, workloads } from '../../bench/workloads.ts'

const key = 'right'
const animals = 100_000

type Answer = { status: number; body?: string; headers?: Record<string, string> }
type Fault = (
  path: string,
  request: { method: string; key: string; body: string },
) => Answer | undefined

/** A server that answers as it has to, but for one fault. */
async function startServer(fault: Fault = () => undefined) {
  const created = new Map<string, string>()

  function rightAnswer(path: string, method: string, authorization: string, body: string): Answer {
    const url = new URL(path, 'http://127.0.0.1')
    if (authorization !== `Bearer ${key}`) return { status: 401 }
    if (method === 'POST') return create(body)
    const id = url.pathname.split('/')[3]
    if (id === undefined) return list(url.searchParams)
    const own = created.get(id)
    if (own !== undefined) return { status: 200, body: own }
    if (Number(id) > animals) return { status: 404 }
    return { status: 200, body: JSON.stringify({ id: Number(id), ...animalOf(Number(id)) }) }
  }

  function create(text: string): Answer {
    const body = parsed(text)
    const isRight =
      typeof body?.name === 'string' &&
      /\S/.test(body.name) &&
      body.name.length <= 1_000 &&
      Number.isInteger(body.categoryId) &&
      [undefined, 'available'].includes(body.status)
    if (!isRight) return { status: 400 }
    const id = animals + created.size + 1
    const record = JSON.stringify({ id, ...body })
    created.set(String(id), record)
    return { status: 201, body: record, headers: { location: `/v1/pets/${id}` } }
  }

  const server = createServer(async (request, response) => {
    const text = await textOf(request)
    const { url: path = '', method = '', headers } = request
    const asked = { method, key: headers.authorization ?? '', body: text }
    const answer = fault(path, asked) ?? rightAnswer(path, method, asked.key, text)
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
    response.end(answer.body ?? '{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    ...{ name: 'a server', key, pid: 0, pids: [], database: '', isLimit: false },
    baseUrl: `http://127.0.0.1:${port}/v1`,
    syncs: undefined,
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
  const isRight = limit >= 1 && limit <= 100 && after >= 0 && !query.has('status', 'lost')
  if (!isRight) return { status: 400 }
  const ids = Array.from({ length: limit }, (_, index) => after + index + 1)
  const link = `<http://127.0.0.1/v1/pets?limit=${limit}&cursor=${after + limit}>; rel="next"`
  return { status: 200, body: pageOf(ids), headers: after + limit < 60 ? { link } : {} }
}

function parsed(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function workloadOf(name: WorkloadName) {
  return workloads.find((workload) => workload.name === name) ?? assert.fail(name)
}

it('a server that answers as it has to is let in', async () => {
  await using server = await startServer()

  for (const name of ['same page', 'one animal', 'creates'] as const) {
    await prove(server, workloadOf(name))
  }
})

const faults: [string, WorkloadName, Fault][] = [
  ['lets everybody in', 'same page', (path) => (path === '/v1/pets' ? { status: 200 } : undefined)],
  [
    'takes the beginning of a key for the key',
    'same page',
    (path, { key: sent }) =>
      sent === `Bearer ${key}x` && path.startsWith('/v1/pets/') ? { status: 200 } : undefined,
  ],
  [
    'answers a page that is one animal short',
    'same page',
    (path) => (path.endsWith('limit=20') ? { status: 200, body: pageOf([1, 2, 3]) } : undefined),
  ],
  [
    'takes any limit',
    'same page',
    (path) => (path.endsWith('limit=101') ? { status: 200 } : undefined),
  ],
  [
    'answers text',
    'same page',
    (path) =>
      path.endsWith('limit=20')
        ? {
            status: 200,
            body: pageOf(Array.from({ length: 20 }, (_, index) => index + 1)),
            headers: { 'content-type': 'text/plain' },
          }
        : undefined,
  ],
  [
    'has an animal for every id',
    'one animal',
    (path) => (path.endsWith('/999999999') ? { status: 200, body: '{}' } : undefined),
  ],
  [
    'converts what is sent',
    'creates',
    (_path, { body }) =>
      body.includes('"7"') ? { status: 201, body: '{"id":1,"name":"Rex"}' } : undefined,
  ],
  [
    'forgets what it has acknowledged',
    'creates',
    (path, { key: sent }) =>
      path.startsWith('/v1/pets/100') && sent === `Bearer ${key}` ? { status: 404 } : undefined,
  ],
]

for (const [what, name, fault] of faults) {
  it(`a server that ${what} has a dash`, async () => {
    await using server = await startServer(fault)

    await assert.rejects(prove(server, workloadOf(name)), Wrong)
  })
}

it('a server that acknowledges a create before it is on the disk has a dash', async () => {
  await using server = await startServer()
  const syncs = { env: {}, count: () => 7, delay: () => undefined }

  await assert.rejects(
    prove({ ...server, syncs }, workloadOf('creates')),
    /before it has reached the disk/,
  )
})

const sixty = Array.from({ length: 60 }, (_, index) => index + 1)

it('a walk answers the pages between the first and the last', async () => {
  await using server = await startServer()

  const paths = await walk(server, { filter: '', ids: sixty })

  assert.deepEqual(paths, ['/v1/pets?limit=20&cursor=20'])
})

it('a walk that meets an animal twice, or ends too early or too late, is wrong', async () => {
  await using server = await startServer((path) =>
    path.endsWith('cursor=20') ? { status: 200, body: pageOf(sixty.slice(19, 39)) } : undefined,
  )
  await using honest = await startServer()

  await assert.rejects(walk(server, { filter: '', ids: sixty }), /not the page/)
  await assert.rejects(walk(honest, { filter: '', ids: sixty.slice(0, 40) }), /next link/)
  await assert.rejects(walk(honest, { filter: '', ids: [...sixty, 61] }), /next link/)
})
