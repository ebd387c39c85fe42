import { parseJson } from '../../src/contract/int64-json.ts'
import type { Problem } from '../../src/contract/problem.ts'
import type { ErrorAnswer } from './errors.ts'
import type { Scope } from './generated/scopes.ts'
import type { Operation } from './operation.ts'

/** An answer that arrived to its end, or a file that begins to arrive. */
export type Reply = { status: number; headers: Headers; text: string; file?: Response | Blob }

/** No answer, or a broken one. `timeoutMs` where it did not arrive in time. */
export type Lost = { status?: undefined; cause: unknown; timeoutMs?: number; isTooLarge?: boolean }

/** Many times the largest page of the service. */
export const answerMaxBytes = 16 * 1_024 * 1_024

export class TooLarge extends Error {}

/** The text of an answer, to its end: a connection can break within it. Throws `TooLarge`. */
export async function readText(response: Response): Promise<string> {
  // A fetch that is not the platform's may have no stream.
  if (!response.body?.getReader) return response.text()
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of chunksOf(response.body)) text += decoder.decode(chunk, { stream: true })
  return text + decoder.decode()
}

/** The file in an answer, to its end. Throws `TooLarge`. */
export async function readBlob(response: Response): Promise<Blob> {
  if (!response.body?.getReader) return response.blob()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  for await (const chunk of chunksOf(response.body)) chunks.push(chunk)
  return new Blob(chunks, { type: response.headers.get('content-type') ?? '' })
}

async function* chunksOf(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const reader = body.getReader()
  for (let sizeBytes = 0; ; ) {
    const { done, value } = await reader.read()
    if (done) return
    sizeBytes += value.length
    if (sizeBytes > answerMaxBytes) {
      reader.cancel().catch(() => undefined)
      throw new TooLarge()
    }
    yield value
  }
}

/** The value of a success, its integers exact; else the answer as it is, or that it is broken. */
export function readValue<T>({ id }: Operation, reply: Reply): { data: T } | Reply | Lost {
  const { status, text, file } = reply
  if (file) return { data: file as T }
  if (status === 204 || status === 304) return { data: undefined as T }
  if (status < 200 || status > 299) return reply
  try {
    const data = parseJson(text)
    // Something in front of the service may send JSON of its own.
    const isRecord = id.startsWith('list') ? Array.isArray(data) : Object(data) === data
    return isRecord ? { data: data as T } : { cause: new TypeError('unexpected JSON') }
  } catch (cause) {
    return { cause }
  }
}

/** The error in an answer: problem details (RFC 9457), the flat form, or what something else sent. */
export function readError({ status, headers, text }: Reply): ErrorAnswer {
  const body = membersOf(text)
  const code = typeof body.code === 'string' ? body.code : undefined
  const problems = (Array.isArray(body.errors) ? body.errors : []) as Problem[]
  const message = messageOf(status, headers, body)
  return { status, headers, code, problems, message, scopes: scopesIn(headers) }
}

/** What a status means that a proxy answers by itself: errors of the service have a code. */
const ofProxies: Record<number, string> = {
  413: 'A proxy in front of the service refused the request as too large: raise its limit (client_max_body_size in nginx).',
  504: 'A proxy in front of the service did not wait for its response: raise its limit (proxy_read_timeout in nginx).',
}

/** What the service says that the key may do. */
export function scopesIn(headers: Headers): readonly Scope[] | undefined {
  const scopes = headers.get('petstore-scopes')
  return scopes?.split(' ').filter((scope) => scope !== '') as Scope[] | undefined
}

function membersOf(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

function messageOf(status: number, headers: Headers, body: Record<string, unknown>): string {
  const { code, detail, message = detail } = body
  const ofProxy = ofProxies[status]
  if (code === undefined && ofProxy !== undefined) return ofProxy
  if (typeof message === 'string') return message
  // A browser shows neither the status of a redirect nor where it leads.
  if (status === 0 || (status >= 300 && status < 400)) {
    const target = headers.get('location')
    return `the base address redirects${target ? ` to ${target}` : ''}: use the address that it leads to.`
  }
  return 'something in front of the service answered.'
}
