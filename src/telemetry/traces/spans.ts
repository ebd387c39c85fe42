import { systemRandom } from '../../context/context.ts'
import type { CommitTimes } from '../../db/on-commit.ts'
import type { Observation } from '../../http/observe.ts'
import { createUrlRedactor } from '../access-log.ts'

type SpanId = { traceId: string; spanId: string }

/** A span as OTLP has it in JSON. */
export type Span = SpanId & {
  parentSpanId?: string | undefined
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes?: unknown[]
  links?: SpanId[] | undefined
  status?: { code: number } | undefined
}

const kindInternal = 1
const kindServer = 2
const statusError = 2
/** OpenTelemetry's limit. */
const linksMax = 128

/** What a request waits for, in this order. */
const phases = [
  ['receive', 'receiveMs'],
  ['wait for batch', 'batchMs'],
  ['database', 'databaseMs'],
  ['commit', 'commitMs'],
] as const

const redactUrl = createUrlRedactor(() => false)
/** By commit; the services of a process share no commit. */
const batches = new WeakMap<CommitTimes, Span>()

/** A random id of so many bytes. */
export const newId = (bytes: number) => Buffer.from(systemRandom(bytes)).toString('hex')

/** The spans of a request that ends at `endMs`: its phases, the batch that stored its write unless it has one, and its own. */
export function spansOf(
  observed: Observation,
  { traceId, spanId, parentSpanId }: NonNullable<Observation['trace']>,
  endMs: number,
): Span[] {
  const { request, operation, status = 0, totalMs, clientMs, receiveMs, commit } = observed
  const startMs = endMs - totalMs
  const spans: Span[] = []
  function addPhase(name: string, fromMs: number, ms: number) {
    if (ms <= 0) return
    const ids = { traceId, spanId: newId(8), parentSpanId: spanId }
    spans.push({ ...ids, name, kind: kindInternal, ...timesOf(fromMs, fromMs + ms) })
  }
  let atMs = startMs
  for (const [name, member] of phases) {
    addPhase(name, atMs, observed[member])
    atMs += observed[member]
  }
  const sendMs = clientMs - receiveMs
  addPhase('send', endMs - sendMs, sendMs)
  const batch = commit && batchOf(commit, atMs, spans)
  if (batch?.links && batch.links.length < linksMax) batch.links.push({ traceId, spanId })
  const [path = ''] = JSON.parse(redactUrl(request?.url ?? '')).split('?')
  const route = operation && `${path.startsWith('/v1/') ? '/v1' : ''}${operation.path}`
  const method = request?.method ?? ''
  spans.push({
    traceId,
    spanId,
    parentSpanId,
    name: route ? `${method} ${route}` : method,
    kind: kindServer,
    ...timesOf(startMs, endMs),
    attributes: requestAttributes(observed, { method, path, route }),
    links: batch && [{ traceId: batch.traceId, spanId: batch.spanId }],
    status: status >= 500 ? { code: statusError } : undefined,
  })
  return spans
}

/** The span of a commit. The first traced request in it adds it; until it is sent, others add their links. */
function batchOf(commit: CommitTimes, committedMs: number, spans: Span[]): Span {
  const known = batches.get(commit)
  if (known) return known
  const { inputs, statementsMs, commitMs } = commit
  const batch = {
    traceId: newId(16),
    spanId: newId(8),
    name: 'batch',
    kind: kindInternal,
    ...timesOf(committedMs - statementsMs - commitMs, committedMs),
    attributes: attributesOf({ 'petstore.batch.inputs': inputs }),
    links: [],
  }
  batches.set(commit, batch)
  spans.push(batch)
  return batch
}

function requestAttributes(
  { id, operation, caller, status = 0, error, isCut }: Observation,
  { method, path, route }: { method: string; path: string; route: string | undefined },
): unknown[] {
  return attributesOf({
    'http.request.method': method,
    'url.scheme': 'http',
    'url.path': path,
    'http.route': route,
    'http.response.status_code': status === 0 ? undefined : status,
    'error.type': error?.code ?? (isCut ? 'aborted' : undefined),
    'petstore.operation': operation?.operationId,
    'petstore.request_id': id,
    'petstore.key_id': caller && String(caller.keyId),
  })
}

/** Attributes as OTLP has them; those without a value are omitted. */
export function attributesOf(
  attributes: Readonly<Record<string, string | number | undefined>>,
): unknown[] {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ({
      key,
      value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
    }))
}

/** Milliseconds since 1970 as nanoseconds, of which a double holds the microseconds. */
function timesOf(startMs: number, endMs: number) {
  const nanoseconds = (ms: number) => `${Math.round(ms * 1_000)}000`
  return { startTimeUnixNano: nanoseconds(startMs), endTimeUnixNano: nanoseconds(endMs) }
}
