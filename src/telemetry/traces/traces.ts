import { hostname } from 'node:os'
import type { Config } from '../../config/config.ts'
import type { TraceSettings } from '../../config/trace-settings.ts'
import { timeOfDay } from '../../context/context.ts'
import { type Observation, readTraceparent } from '../../http/observe.ts'
import { performance } from '../../timers.ts'
import { versionOf } from '../../version.ts'
import { createExporter, type Exporter } from './exporter.ts'
import { attributesOf, newId, type Span, spansOf } from './spans.ts'

/** How far the clock of spans may differ from the time of day before it follows. */
const clockErrorMaxMs = 50

/** Traces the requests of a service whose environment names a collector. */
export function createTraces(
  { environment }: Pick<Config, 'environment'>,
  { sampler, endpoint, headers, resource }: TraceSettings,
) {
  const version = versionOf()
  const attributes = attributesOf({
    'service.name': 'petstore',
    'service.version': version,
    'deployment.environment.name': environment,
    'host.name': hostname(),
    'process.pid': process.pid,
    ...resource,
  })
  let exporter: Exporter<Span> | undefined
  let offsetMs = timeOfDay() - performance.now()

  /** The fraction is taken of the bits that OpenTelemetry's own samplers take: fleets agree. */
  function isSampled(traceId: string, parentFlags: string | undefined): boolean {
    if (sampler.isParentBased && parentFlags !== undefined)
      return (Number.parseInt(parentFlags, 16) & 1) === 1
    return Number.parseInt(traceId.slice(16, 29), 16) < sampler.ratio * 2 ** 52
  }

  /** Spans of one request have one clock, which follows corrections of the time of day between requests. */
  function encode(spans: readonly Span[]): string {
    const nowMs = timeOfDay() - performance.now()
    if (Math.abs(nowMs - offsetMs) > clockErrorMaxMs) offsetMs = nowMs
    const scopeSpans = [{ scope: { name: 'petstore', version }, spans }]
    return JSON.stringify({ resourceSpans: [{ resource: { attributes }, scopeSpans }] })
  }

  return {
    observer: {
      started(observed: Observation) {
        if (!observed.request) return
        const traceparent = readTraceparent(observed.request.headers.traceparent)
        const [, parentTraceId, parentSpanId, flags] = traceparent?.split('-') ?? []
        const traceId = parentTraceId ?? newId(16)
        const isSent = isSampled(traceId, flags)
        observed.trace = { traceId, spanId: newId(8), parentSpanId, isSampled: isSent }
      },
      ended(observed: Observation) {
        const { trace, operation, error } = observed
        // Probes come every few seconds for as long as the service runs.
        if (!trace?.isSampled || (operation?.isProbe && !error)) return
        exporter?.add(spansOf(observed, trace, performance.now() + offsetMs))
      },
    },
    /** Begins to keep and send spans. */
    start(warn: (sentence: string) => void): void {
      exporter = createExporter({ endpoint, headers, encode, warn })
    },
    stop: async (): Promise<void> => exporter?.stop(),
  }
}
