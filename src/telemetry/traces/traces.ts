import type { TraceSettings } from '../../config/trace-settings.ts'
import { type Random, timeOfDay } from '../../context/context.ts'
import type { CommitTimes } from '../../db/run-write.ts'
import { isTraceparent, type Observation } from '../../http/observe.ts'
import { createShownTarget } from '../access-log.ts'
import { createExporter, type Exporter } from './exporter.ts'

type Attributes = Readonly<Record<string, string | number | undefined>>
type SpanId = { traceId: string; spanId: string }

/** A span as OTLP has it in JSON. */
type Span = SpanId & {
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
/** How far the clock of spans may differ from the time of day before it follows. */
const clockErrorMaxMs = 50

/** What a request waits for, in this order. */
const phases = [
  ['receive', 'receiveMs'],
  ['wait for batch', 'batchMs'],
  ['database', 'databaseMs'],
  ['commit', 'commitMs'],
] as const

type TracesOptions = {
  settings: TraceSettings
  random: Random
  /** Attributes of the process, unless the settings have others. */
  resource: Readonly<Record<string, string | number>>
  version: string
}

export type Traces = ReturnType<typeof createTraces>

/** Traces requests: a span for each, its phases below it, and one for the batch that stored its write. */
export function createTraces({ settings, random, resource, version }: TracesOptions) {
  const { sampler, endpoint, headers } = settings
  const shownTarget = createShownTarget(() => false)
  const batches = new WeakMap<CommitTimes, Span>()
  const attributes = attributesOf({ ...resource, ...settings.resource })
  const scope = { name: 'petstore', version }
  let exporter: Exporter<Span> | undefined
  let offsetMs = timeOfDay() - performance.now()

  const newId = (bytes: number) => Buffer.from(random(bytes)).toString('hex')

  /** The fraction is taken of the bits that OpenTelemetry's own samplers take: fleets agree. */
  function isSampled(traceId: string, parentFlags: string | undefined): boolean {
    if (sampler.isParentBased && parentFlags !== undefined)
      return (Number.parseInt(parentFlags, 16) & 1) === 1
    return Number.parseInt(traceId.slice(16, 29), 16) < sampler.ratio * 2 ** 52
  }

  function spansOf(observed: Observation, trace: NonNullable<Observation['trace']>): Span[] {
    const { request, operation, status = 0, error, caller, id, isCut } = observed
    const { traceId, spanId, parentSpanId } = trace
    const endMs = performance.now() + offsetMs
    const startMs = endMs - observed.totalMs
    const [path = ''] = JSON.parse(shownTarget(request?.url ?? '')).split('?')
    const route = operation && `${path.startsWith('/v1/') ? '/v1' : ''}${operation.path}`
    const method = request?.method ?? ''
    const own = attributesOf({
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
    const sendMs = observed.clientMs - observed.receiveMs
    addPhase('send', endMs - sendMs, sendMs)
    const batch = observed.commit && batchOf(observed.commit, atMs, spans)
    if (batch?.links && batch.links.length < linksMax) batch.links.push({ traceId, spanId })
    spans.push({
      ...{ traceId, spanId, parentSpanId },
      name: route ? `${method} ${route}` : method,
      kind: kindServer,
      ...timesOf(startMs, endMs),
      attributes: own,
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
      ...{ traceId: newId(16), spanId: newId(8), name: 'batch', kind: kindInternal },
      ...timesOf(committedMs - statementsMs - commitMs, committedMs),
      attributes: attributesOf({ 'petstore.batch.inputs': inputs }),
      links: [],
    }
    batches.set(commit, batch)
    spans.push(batch)
    return batch
  }

  /** Spans of one request have one clock, which follows corrections of the time of day between requests. */
  function encode(spans: readonly Span[]): string {
    const nowMs = timeOfDay() - performance.now()
    if (Math.abs(nowMs - offsetMs) > clockErrorMaxMs) offsetMs = nowMs
    const scopeSpans = [{ scope, spans }]
    return JSON.stringify({ resourceSpans: [{ resource: { attributes }, scopeSpans }] })
  }

  return {
    observer: {
      started(observed: Observation) {
        const { traceparent } = observed.request?.headers ?? {}
        if (!observed.request) return
        const [, parentTraceId, parentSpanId, flags] = isTraceparent(traceparent)
          ? traceparent.split('-')
          : []
        const traceId = parentTraceId ?? newId(16)
        const isSent = isSampled(traceId, flags)
        observed.trace = { traceId, spanId: newId(8), parentSpanId, isSampled: isSent }
      },
      ended(observed: Observation) {
        const { trace, operation, error } = observed
        // Probes come every few seconds for as long as the service runs.
        if (!trace?.isSampled || (operation?.isProbe && !error)) return
        exporter?.add(spansOf(observed, trace))
      },
    },
    /** Begins to keep and send spans. */
    start(warn: (sentence: string) => void): void {
      exporter = createExporter({ endpoint, headers, encode, warn })
    },
    stop: async (): Promise<void> => exporter?.stop(),
  }
}

function attributesOf(attributes: Attributes): unknown[] {
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
