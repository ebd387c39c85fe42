import type { Workload } from '../workloads.ts'
import { type Answer, ask, pageOf, pageSize, post, recordOf } from './pages.ts'
import type { Server } from './server.ts'

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

/** Checks that a server does the work of a workload correctly. Throws with what is wrong. `walk` checks the remaining pages. */
export async function checkAnswers(
  server: Server,
  { reads, writeShare }: Pick<Workload, 'reads' | 'writeShare'>,
): Promise<void> {
  await checkRefusals(server)
  if (writeShare < 1) await (reads === 'pets' ? checkPets : checkPages)(server)
  if (writeShare > 0) await checkCreates(server)
}

/** Checks that a server refuses wrong keys, queries and bodies. */
export async function checkRefusals(server: Server): Promise<void> {
  const { key } = server
  for (const authorization of ['', 'Bearer wrong', `Basic ${key}`, `Bearer ${key}x`]) {
    for (const path of ['/v1/pets', '/v1/pets/1']) {
      const answer = await ask(server, path, { headers: { authorization } })
      require(answer.status === 401, `${path} with the credential '${authorization}'`, answer)
    }
    const answer = await post(server, JSON.stringify(newPet), { authorization })
    require(answer.status === 401, `a create with the credential '${authorization}'`, answer)
  }
  for (const query of badQueries) {
    const bad = await ask(server, `/v1/pets?${query}`)
    require(bad.status === 400, query, bad)
  }
  for (const body of badBodies) {
    const answer = await post(server, body)
    require(answer.status === 400, `a create of ${body.slice(0, 60)}`, answer)
  }
}

async function checkPages(server: Server): Promise<void> {
  const first = `/v1/pets?limit=${pageSize}`
  const answer = await ask(server, first)
  const ids = Array.from({ length: pageSize }, (_, index) => index + 1)
  require(answer.status === 200 && answer.body === pageOf(ids) && isJson(answer), first, answer)
}

async function checkPets(server: Server): Promise<void> {
  for (const id of sampledIds) {
    const answer = await ask(server, `/v1/pets/${id}`)
    const isRight = answer.body === JSON.stringify(recordOf(id))
    require(answer.status === 200 && isRight && isJson(answer), `the pet ${id}`, answer)
  }
  const unknown = await ask(server, '/v1/pets/999999999')
  require(unknown.status === 404, 'an unknown pet', unknown)
}

async function checkCreates(server: Server): Promise<void> {
  const ids = new Set<number>()
  for (let count = 1; count <= syncedCreates; count++) {
    const syncsBefore = server.syncs?.count() ?? 0
    const answer = await post(server, JSON.stringify(newPet))
    const isSynced = server.syncs === undefined || server.syncs.count() > syncsBefore
    require(answer.status === 201 && isJson(answer), 'a create', answer)
    const { id } = JSON.parse(answer.body)
    require(answer.body === JSON.stringify({ id, ...newPet }), 'the body of a create', answer)
    require(!ids.has(id), 'the id of a create', answer)
    ids.add(id)
    if (!isSynced) throw new Error('a create is acknowledged before it is synced')
    const location = new URL(answer.headers.get('location') ?? '/', server.baseUrl)
    const read = await ask(server, location.pathname)
    require(read.status === 200 && read.body === answer.body, 'the created pet', read)
  }
}

function isJson({ headers }: Answer): boolean {
  return headers.get('content-type')?.startsWith('application/json') === true
}

function require(isRight: boolean, what: string, { status, body }: Answer): void {
  if (!isRight) throw new Error(`${what} returned ${status} ${body.slice(0, 80)}`)
}
