import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Observer } from '../../http/observe.ts'
import { observeCommits } from './commit-metrics.ts'
import type { ReadMetrics } from './merge-metrics.ts'
import { observeRequests } from './request-metrics.ts'
import { measureState, type Service } from './state-metrics.ts'
import { observeWebhooks } from './webhook-metrics.ts'

/** They walk over all connections, and three of them are gauges named as counters. */
const omitted = ['handles', 'requests', 'resources'].flatMap((kind) => [
  `nodejs_active_${kind}`,
  `nodejs_active_${kind}_total`,
])

type MetricsOptions = Parameters<typeof observeRequests>[1] & {
  /** The types of events. */
  types: readonly string[]
  /** What `petstore_build_info` says. */
  build: Readonly<Record<string, string>>
}

/** The metrics of a service. Their number of series is bounded by its contract, whatever clients send. */
export function createMetrics({ types, build, ...options }: MetricsOptions) {
  const registry = new Registry()
  const registers = [registry]
  // CPU, memory, open files, garbage collection and event-loop delay, by the names that dashboards of Node expect.
  collectDefaultMetrics({ register: registry })
  for (const name of omitted) registry.removeSingleMetric(name)
  new Gauge({
    name: 'petstore_build_info',
    help: 'Always 1; the labels say what runs.',
    labelNames: Object.keys(build),
    registers,
  }).set(build, 1)
  const observers: readonly Observer[] = [
    observeRequests(registers, options),
    observeCommits(registers, types),
    observeWebhooks(registers),
  ]
  return {
    observers,
    /** Returns functions that write all metrics in Prometheus's text format, or read them as data. */
    expose(service: Service) {
      const readState = measureState(registers, service)
      return {
        contentType: registry.contentType,
        async read(): Promise<ReadMetrics> {
          await readState()
          return registry.getMetricsAsJSON()
        },
        async write(): Promise<string> {
          await readState()
          return registry.metrics()
        },
      }
    },
  }
}
