import type { Workload } from '../workloads.ts'
import type { Server } from './server.ts'
import { type Answer, ask, pageOf, pageSize, recordOf, Wrong } from './survey.ts'

const newPet = { name: 'Rex', categoryId: 7, status: 'available' }
const sampledIds = [1, 2, 49, 50, 150, 51_234, 99_999]
const badQueries = ['limit=0', 'limit=x', 'limit=101', 'status=lost', 'cursor=%21%21']
const badBodies = [
  '{',
  '[]',
  '{"categoryId":7}',
  '{"name":"Rex"}',
  '{"name":1,"categoryId":7}',
  '{"name":"","categoryId":7}',
  '{"name":"  ","categoryId":7}',
  '{"name":"Rex","categoryId":"7"}',
  '{"name":"Rex","categoryId":1.5}',
  '{"name":"Rex","categoryId":7,"status":"lost"}',
  JSON.stringify({ ...newPet, name: 'x'.repeat(1_001) }),
]
const syncedCreates = 5

/** Resolves when a server answers a workload as it has to. Throws `Wrong`, with the reason. The walk proves the rest of the pages. */
export async function prove(server: Server, { reads, createShare }: Workload): Promise<void> {
  if (!server.isLimit) await proveKeys(server)
  if (createShare < 1) await (reads === 'animals' ? proveAnimals : provePages)(server)
  if (createShare > 0) await proveCreates(server)
}

async function proveKeys(server: Server): Promise<void> {
  for (const authorization of [
    '',
    'Bearer wrong',
    `Basic ${server.key}`,
    `Bearer ${server.key}x`,
  ]) {
    for (const path of ['/v1/pets', '/v1/pets/1']) {
      const answer = await ask(server, path, { headers: { authorization } })
      demand(answer.status === 401, `${path} with the credential '${authorization}'`, answer)
    }
    const answer = await post(server, JSON.stringify(newPet), { authorization })
    demand(answer.status === 401, `a create with the credential '${authorization}'`, answer)
  }
}

async function provePages(server: Server): Promise<void> {
  const first = `/v1/pets?limit=${pageSize}`
  const answer = await ask(server, first)
  const ids = Array.from({ length: pageSize }, (_, index) => index + 1)
  demand(answer.status === 200 && answer.body === pageOf(ids), first, answer)
  demand(isJson(answer), `the media type of ${first}`, answer)
  if (server.isLimit) return
  for (const query of badQueries) {
    const bad = await ask(server, `/v1/pets?${query}`)
    demand(bad.status === 400, query, bad)
  }
}

async function proveAnimals(server: Server): Promise<void> {
  for (const id of sampledIds) {
    // What is replayed is proved by the recording: it has only some of the animals.
    if (server.isLimit) return
    const answer = await ask(server, `/v1/pets/${id}`)
    const isRight = answer.body === JSON.stringify(recordOf(id))
    demand(answer.status === 200 && isRight && isJson(answer), `the animal ${id}`, answer)
  }
  const unknown = await ask(server, '/v1/pets/999999999')
  demand(unknown.status === 404, 'an unknown animal', unknown)
}

async function proveCreates(server: Server): Promise<void> {
  const ids = new Set<number>()
  for (let count = 1; count <= syncedCreates; count++) {
    const syncsBefore = server.syncs?.count() ?? 0
    const answer = await post(server, JSON.stringify(newPet))
    demand(answer.status === 201 && isJson(answer), 'a create', answer)
    const { id } = JSON.parse(answer.body)
    demand(answer.body === JSON.stringify({ id, ...newPet }), 'the answer to a create', answer)
    demand(!ids.has(id), 'the id of a create', answer)
    ids.add(id)
    if (server.isLimit) continue
    const isSynced = server.syncs === undefined || server.syncs.count() > syncsBefore
    if (!isSynced) throw new Wrong('a create is answered before it has reached the disk')
    const location = new URL(answer.headers.get('location') ?? '/', server.baseUrl)
    const read = await ask(server, location.pathname)
    demand(read.status === 200 && read.body === answer.body, 'what was created', read)
  }
  if (server.isLimit) return
  for (const body of badBodies) {
    const answer = await post(server, body)
    demand(answer.status === 400, `a create of ${body.slice(0, 60)}`, answer)
  }
}

function post(server: Server, body: string, headers: Record<string, string> = {}): Promise<Answer> {
  return ask(server, '/v1/pets', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

function isJson({ headers }: Answer): boolean {
  return headers.get('content-type')?.startsWith('application/json') === true
}

function demand(isRight: boolean, what: string, { status, body }: Answer): void {
  if (!isRight) throw new Wrong(`${what} is answered with ${status} ${body.slice(0, 80)}`)
}
