import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Observer } from '../../http/observe.ts'
import { observeEvents } from './event-metrics.ts'
import { createInstruments } from './instruments.ts'
import type { ReadMetrics } from './merge-metrics.ts'
import { observeRequests } from './request-metrics.ts'
import { measureState, type Service } from './state-metrics.ts'

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
  const instruments = createInstruments(registry)
  // CPU, memory, open files, garbage collection and event-loop delay, by the names that dashboards of Node expect.
  collectDefaultMetrics({ register: registry })
  for (const name of omitted) registry.removeSingleMetric(name)
  const builds = instruments.gauge(
    'build_info',
    'Always 1; the labels say what runs.',
    ...Object.keys(build),
  )
  builds.set(build, 1)
  const observers: readonly Observer[] = [
    observeRequests(instruments, options),
    observeEvents(instruments, types),
  ]
  return {
    observers,
    /** Returns functions that write all metrics in Prometheus's text format, or read them as data. */
    expose(service: Service) {
      measureState(instruments, service)
      return {
        read: (): Promise<ReadMetrics> => registry.getMetricsAsJSON(),
        write: () => registry.metrics(),
      }
    },
  }
}
