import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseJson, stringifyJson } from '../../../src/contract/int64-json.ts'
import type { Reader } from '../../harness/mirror.ts'
import { repeatRefused, repeatWhile } from '../../harness/repeat.ts'
import type { SeededRandom } from '../../harness/seeded-random.ts'
import type { Create, History, SeenPet } from './history.ts'

/** Where the services of one database listen, and a key that all of them know. */
export type Targets = {
  baseUrls: readonly string[]
  key: string
  /** Behind a balancer, which sends a DELETE again whose service died. */
  isBalanced?: boolean
}

/** The services of one database, and all that its clients have sent and seen. */
export type Observed = Targets & { history: History }

/** Which of the services gets a request, and on which connections. */
export type Via = { service: number; agent?: http.Agent | undefined }

type Load = { clients: number; random: SeededRandom; signal: AbortSignal }

export type Answer = { status: number; headers: http.IncomingHttpHeaders; text: string }

/** A pause after a refused request, so that clients do not spin. */
const refusedDelayMs = 10
/** A service that responds later than this counts as not responding. */
const answerMaxMs = 20_000
const pageLimit = 20

/** What no response may contain: SQL, names of tables, and messages of the server or the driver. */
const leak =
  /\b(?:select|insert|update|delete|commit|rollback|transaction|statement|relation|table|column|pets_\w+|constraint|deadlock|serializ\w+|lock|terminat\w+|timeout|postgres\w*|pg_\w+|standby|recovery|read-only|SQLSTATE|FATAL|ECONN\w+|EPIPE|socket)\b|127\.0\.0\.1/i

/** Creates, reads by id, newest pages and whole lists, from many clients to all services in turn, until the signal. */
export async function sendTraffic(
  store: Observed,
  { clients, random, signal }: Load,
): Promise<void> {
  const agent = new http.Agent({ keepAlive: true })
  const client = async (number: number) => {
    const walker = createWalker(store)
    for (let n = number; !signal.aborted; n++) {
      const via = { service: n % store.baseUrls.length, agent }
      const chance = random.next()
      let isAnswered: boolean
      if (chance < 0.4) isAnswered = (await create(store, via)) !== undefined
      else if (chance < 0.7) isAnswered = await readOne(store, via, random)
      else isAnswered = chance < 0.85 ? await walker.newest(via) : await walker.walk(via)
      if (!isAnswered) await sleep(refusedDelayMs)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  agent.destroy()
}

let created = 0

/** Records a new pet, whose name is unique. Returns its request: every other one has an Idempotency-Key. */
export function startCreate(
  history: History,
  service: number,
  more: { status?: 'available' } = {},
) {
  created += 1
  const name = `pet ${process.pid}-${created} "é\\🐾`
  const categoryId = created % 5 === 0 ? 2n ** 63n - 1n - BigInt(created) : created % 7
  const status = [undefined, 'available', 'pending', 'sold'][created % 4]
  const pet = { name, categoryId, ...(status && { status }), ...more }
  const noted = history.startCreate(service, name, performance.now())
  noted.content = stringifyJson(pet)
  if (more.status) noted.isOrdered = true
  const isRepeatable = created % 2 === 0
  return {
    ...{ noted, body: noted.content },
    ...(isRepeatable && { headers: { 'idempotency-key': encodeURIComponent(name) } }),
  }
}

/** Records the id in the body of a 201; a pet that is not the one that was sent is an anomaly. */
export function noteResponse(history: History, noted: Create, text: string): void {
  const { id, content } = seen(parseJson(text))
  noted.id = id
  if (content !== noted.content)
    history.anomalies.push(`changed: ${noted.content} was answered with ${content}`)
}

function seen(pet: unknown): SeenPet {
  const { id, ...content } = pet as SeenPet
  return { id, name: content.name, content: stringifyJson(content) }
}

/**
 * Sends one create and records its outcome; returns its id when it was acknowledged. One with an Idempotency-Key is repeated once
 * while that is unknown.
 */
export async function create(
  store: Observed,
  via: Via,
  more: { status?: 'available' } = {},
): Promise<number | undefined> {
  const { history } = store
  const { noted, ...call } = startCreate(history, via.service, more)
  const send = () => ask(store, via, { path: '/pets', ...call })
  let answer = await send()
  noted.outcome = outcomeOf(answer, 201)
  if (call.headers && noted.outcome === 'unknown') {
    answer = await send()
    if (answer?.status === 201) noted.outcome = 'acknowledged'
  }
  noted.endMs = performance.now()
  if (answer?.status === 201) noteResponse(history, noted, answer.text)
  return noted.id
}

/** The outcome of a write that succeeds with this status. The message of a 503 says whether it may be stored. */
export function outcomeOf(answer: Answer | undefined, success: number): Create['outcome'] {
  if (answer?.status === success) return 'acknowledged'
  if (answer === undefined || answer.text.includes('it is stored or it is not')) return 'unknown'
  return 'refused'
}

async function readOne(store: Observed, via: Via, random: SeededRandom): Promise<boolean> {
  const { history } = store
  const { service } = via
  // Mostly the newest pets, which an outdated response would miss.
  const last = newestId(history)
  const id = Math.max(1, last - Math.floor(random.next() ** 3 * last))
  const isAsPage = random.next() < 0.5
  const startMs = performance.now()
  const answer = await ask(store, via, { path: isAsPage ? `/pets?id=${id}` : `/pets/${id}` })
  if (answer?.status !== 200 && answer?.status !== 404) return false
  const found = answer.status === 200 ? [parseJson(answer.text)].flat() : []
  const pets = found.map(seen)
  const endMs = performance.now()
  history.addRead({ kind: 'read', service, startMs, endMs, from: id, to: id, pets })
  return true
}

function newestId(history: History): number {
  return history.reads.at(-1)?.pets.at(-1)?.id ?? 1
}

/** Pages through the list as one client does, and reads the newest page in between. */
function createWalker(store: Observed) {
  const start = { path: `/pets?limit=${pageLimit}`, from: 1 }
  let next = start
  return {
    async walk(via: Via): Promise<boolean> {
      const page = await readPage(store, via, next)
      const isOver = page?.next === undefined
      if (page) next = isOver ? start : { path: page.next as string, from: page.read.to + 1 }
      return page !== undefined
    },
    async newest(via: Via): Promise<boolean> {
      const path = `/pets?sort=-id&limit=${pageLimit}`
      return (await readPage(store, via, { path, from: 1 })) !== undefined
    },
  }
}

type Page = { path: string; from: number }

/** Reads a page and records it with the range of ids that it covers. */
async function readPage(store: Observed, via: Via, { path, from }: Page) {
  const startMs = performance.now()
  const answer = await ask(store, via, { path })
  if (answer?.status !== 200) return undefined
  const pets = (parseJson(answer.text) as unknown[]).map(seen)
  const next = nextOf(answer)?.replace(/^.*(?=\/pets\?)/, '')
  const last = pets.at(-1)?.id ?? from
  const isDown = path.includes('sort=-id')
  const ends = { from, to: Number.POSITIVE_INFINITY }
  if (next !== undefined && isDown) ends.from = last
  if (next !== undefined && !isDown) ends.to = last
  const endMs = performance.now()
  const read = { kind: 'read' as const, service: via.service, startMs, endMs, ...ends, pets }
  store.history.addRead(read)
  return { read, next }
}

/** Every pet, page by page. Throws unless every page is returned. */
export async function listAll(store: Observed, service: number): Promise<SeenPet[]> {
  const agent = new http.Agent({ keepAlive: true })
  const pets: SeenPet[] = []
  let path: string | undefined = '/pets?limit=100'
  while (path !== undefined) {
    const asked: Page = { path, from: (pets.at(-1)?.id ?? 0) + 1 }
    const page = await repeatWhile(
      () => readPage(store, { service, agent }, asked),
      (one) => one === undefined && store.history.anomalies.length === 0,
    )
    if (!page) throw new Error(`service ${service} did not answer ${path}`)
    pets.push(...page.read.pets)
    // Paging that does not ascend, which the check reports, might never end.
    path = (page.read.pets[0]?.id ?? 0) < asked.from ? undefined : page.next
  }
  agent.destroy()
  return pets
}

/** Reads of a service. */
export function readerOf({ baseUrls, key }: Targets, service: number): Reader {
  const get = (path: string) => {
    const { href } = new URL(path, baseUrls[service])
    return repeatRefused(() => request(href, { key }))
  }
  return { get }
}

type Call = { path: string; body?: string; headers?: Record<string, string> | undefined }

/** Sends a request, and records as an anomaly what no service may return, whatever its database does. */
async function ask(
  { baseUrls, key, history }: Observed,
  { service, agent }: Via,
  { path, body, headers = {} }: Call,
): Promise<Answer | undefined> {
  try {
    const answer = await request(`${baseUrls[service]}${path}`, { key, agent, body, headers })
    // 409 while the first request with its key is still in progress.
    const allowed = headers['idempotency-key'] ? [201, 409, 503] : [200, 201, 404, 503]
    history.anomalies.push(...anomalies(answer, allowed))
    if (outcomeOf(answer, 201) === 'refused') history.log.noteRefused(answer)
    return answer
  } catch (error) {
    history.anomalies.push(`no answer to ${path} from service ${service}: ${error}`)
    return undefined
  }
}

/** What is wrong with a response by itself, in sentences; these statuses are allowed. */
export function anomalies({ status, headers, text }: Answer, allowed: readonly number[]): string[] {
  const response = `${status} ${text}`
  return [
    ...(allowed.includes(status) ? [] : [`odd: ${response}`]),
    ...(status >= 400 && leak.test(text) ? [`leak: ${response}`] : []),
    ...(status === 503 && !headers['retry-after'] ? [`no Retry-After: ${response}`] : []),
  ]
}

/** The address of the next page. */
export function nextOf({ headers }: Answer): string | undefined {
  return /<([^>]+)>; rel="next"/.exec(String(headers.link ?? ''))?.[1]
}

type Request = {
  key: string
  /** POST when there is a body, else GET, unless given. */
  method?: string
  agent?: http.Agent | undefined
  body?: string | undefined
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
}

/** Sends one request; rejects when there is no complete response in time, with the `status` if that had come. */
export function request(
  url: string,
  { key, agent, body, signal, ...more }: Request,
): Promise<Answer> {
  const { method = body === undefined ? 'GET' : 'POST' } = more
  return new Promise((resolve, reject) => {
    const headers: Record<string, string> = { authorization: `Bearer ${key}`, ...more.headers }
    if (body !== undefined) headers['content-type'] = 'application/json'
    const ends = [AbortSignal.timeout(answerMaxMs), ...(signal ? [signal] : [])]
    const options = { method, headers, agent, signal: AbortSignal.any(ends) }
    const sent = http.request(url, options, (response) => {
      const { statusCode: status = 0, headers } = response
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.once('error', (error) => reject(Object.assign(error, { status })))
      response.once('end', () => resolve({ status, headers, text }))
    })
    sent.once('error', reject)
    sent.end(body)
  })
}
