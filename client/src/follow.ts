import { parseJson } from '../../src/contract/int64-json.ts'
import { errorOf, failureOf } from './failures.ts'
import type { Int64, Operation } from './operation.ts'
import { answerMaxBytes, type Lost, type Reply, readText, TooLarge } from './reply.ts'
import { prepare } from './request.ts'
import { delayOf, isPassing, retryAfterOf, sleep, timerMaxMs } from './retry.ts'
import type { Settings } from './settings.ts'

export type FollowOptions = {
  /** The id of the last event seen: the next one is the first. Without it, the first is one that is still to come. */
  after?: Int64 | undefined
  /** Ends the stream; it rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
  /** How long nothing may arrive before the client connects again: 45 s by default. The service sends each 15 s. */
  timeoutMs?: number | undefined
  /** How many attempts in succession may fail: by default without end. */
  maxRetries?: number | undefined
  /** Further headers of each request. */
  headers?: Record<string, string> | undefined
  /** Told `true` when something arrives, and `false` when a connection has failed or is closed. */
  onConnection?: ((isOpen: boolean) => void) | undefined
}

/** What is known of a stream, across its connections. */
type Progress = {
  after: Int64 | undefined
  /** How long the service asks to wait before the next connection. */
  retryMs: number | undefined
  /** Failures since something arrived. */
  failures: number
}

/**
 * Yields each event once, in order of ids; connects again where the connection fails. Throws the error of a response that
 * no later attempt would change, `PetstoreEventsExpiredError` where events were missed.
 */
export async function* follow<T>(
  settings: Settings,
  operation: Operation,
  {
    after,
    signal,
    timeoutMs = 45_000,
    maxRetries = Infinity,
    headers,
    onConnection,
    ...query
  }: FollowOptions,
): AsyncGenerator<T, never, undefined> {
  const stream = { ...operation, accept: 'text/event-stream' }
  const progress: Progress = { after, retryMs: undefined, failures: 0 }
  const known = {
    operation: operation.id,
    attempts: 0,
    idempotencyKey: undefined,
    isOutcomeUnknown: false,
  }
  for (;;) {
    const input = { query: { ...query, after: progress.after } }
    const { url, headers: sent } = await prepare(settings, stream, input, { headers })
    signal?.throwIfAborted()
    known.attempts += 1
    const open = (aborted: AbortSignal) =>
      settings.fetch(url, { headers: sent, redirect: 'manual', signal: aborted })
    const ended = yield* receive<T>(open, progress, { signal, timeoutMs, onConnection })
    progress.failures += 1
    if (!isPassing(failureOf(ended)) || progress.failures > maxRetries) throw errorOf(ended, known)
    const askedMs = ended.status === undefined ? undefined : retryAfterOf(ended.headers)
    const { failures, retryMs } = progress
    await sleep(delayOf(failures, settings.retryDelayMs, askedMs ?? retryMs), signal)
  }
}

/** The events of one connection. Returns how it failed; throws only where the client's signal aborts it. */
async function* receive<T>(
  open: (aborted: AbortSignal) => Promise<Response>,
  progress: Progress,
  { signal, timeoutMs, onConnection }: FollowOptions & { timeoutMs: number },
): AsyncGenerator<T, Reply | Lost, undefined> {
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', abort)
  let isSilent = false
  const inTime = async <V>(work: Promise<V>): Promise<V> => {
    const silence = () => {
      isSilent = true
      controller.abort()
    }
    const timer = setTimeout(silence, Math.min(timeoutMs, timerMaxMs))
    return work.finally(() => clearTimeout(timer))
  }
  try {
    const response = await inTime(open(controller.signal))
    const { status, headers, body } = response
    const isStream = headers.get('content-type')?.startsWith('text/event-stream')
    if (status !== 200 || !isStream || !body)
      return { status, headers, text: await inTime(readText(response)) }
    const reader = body.getReader()
    const decoder = new TextDecoder()
    for (let text = ''; ; ) {
      const { done, value } = await inTime(reader.read())
      if (done) return { cause: new Error('the stream ended') }
      onConnection?.(true)
      const blocks = `${text}${decoder.decode(value, { stream: true })}`.split('\n\n')
      text = blocks.pop() ?? ''
      if (text.length > answerMaxBytes) throw new TooLarge()
      for (const block of blocks) {
        const data = readBlock(block, progress)
        if (data) yield parseJson(data) as T
      }
    }
  } catch (cause) {
    signal?.throwIfAborted()
    if (cause instanceof TooLarge) return { cause, isTooLarge: true }
    return isSilent ? { cause, timeoutMs } : { cause }
  } finally {
    onConnection?.(false)
    controller.abort()
    signal?.removeEventListener('abort', abort)
  }
}

/** The data of an event that is new. A block that arrived in part is not read: the next connection gets it whole. */
function readBlock(block: string, progress: Progress): string | undefined {
  const fields = new Map(block.split('\n').map(fieldOf))
  const [id, retry] = [fields.get('id'), fields.get('retry')]
  progress.failures = 0
  if (retry) progress.retryMs = Number(retry)
  const { after } = progress
  if (!id || (after !== undefined && BigInt(id) <= after)) return undefined
  progress.after = BigInt(id)
  return fields.get('data')
}

function fieldOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon), line.slice(colon + 1).trim()]
}
