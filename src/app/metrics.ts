import { collectDefaultMetrics, Registry } from 'prom-client'
import { selectLastBackup } from '../admin/backup/queries.ts'
import type { Config } from '../config/config.ts'
import type { ServiceContext } from '../context/context.ts'
import { eventTypes } from '../features/event-types.ts'
import { createOrderOperation } from '../features/sales/contract/orders.ts'
import { selectBacklog } from '../features/webhooks/deliver/queries.ts'
import { observeEvents } from '../telemetry/metrics/event-metrics.ts'
import { createInstruments } from '../telemetry/metrics/instruments.ts'
import type { ReadMetrics } from '../telemetry/metrics/merge-metrics.ts'
import { observeRequests } from '../telemetry/metrics/request-metrics.ts'
import { measureState } from '../telemetry/metrics/state-metrics.ts'
import { versionOf } from '../version.ts'
import type { App } from './app.ts'
import { contract } from './operations.ts'

/** They walk over all connections, and three of them are gauges named as counters. */
const omitted = ['handles', 'requests', 'resources'].flatMap((kind) => [
  `nodejs_active_${kind}`,
  `nodejs_active_${kind}_total`,
])

type Exposed = { context: ServiceContext; connections: App['connections'] }

/**
 * The metrics of a service: what observes it, and what reads them. Their number of series is bounded by the contract,
 * whatever clients send.
 */
export function openMetrics({ environment, database, connectionsMax, streamsMax }: Config) {
  const registry = new Registry()
  const instruments = createInstruments(registry)
  // CPU, memory, open files, garbage collection and event-loop delay, by the names that dashboards of Node expect.
  collectDefaultMetrics({ register: registry })
  for (const name of omitted) registry.removeSingleMetric(name)
  const { engine } = database
  const build = { version: versionOf(), node: process.versions.node, engine, environment }
  instruments
    .gauge('build_info', 'Always 1; the labels say what runs.', ...Object.keys(build))
    .set(build, 1)
  return {
    observers: [
      observeRequests(instruments, { operations: contract, sale: createOrderOperation }),
      observeEvents(instruments, Object.keys(eventTypes)),
    ],
    /** Returns functions that write all metrics in Prometheus's text format, or read them as data. */
    expose({ context: { db, feed, clock }, connections }: Exposed) {
      measureState(instruments, {
        db,
        connections: { count: connections.count, max: connectionsMax },
        streams: { count: () => feed.streams(), max: streamsMax },
        lastBackupMs: async () => Number((await db.read(selectLastBackup, undefined))?.madeAt ?? 0),
        async backlog() {
          const { dueAt, pruned } = await db.read(selectBacklog, undefined)
          return { oldestDueMs: Math.max(0, clock() - (dueAt ?? clock())), pruned }
        },
      })
      return {
        read: (): Promise<ReadMetrics> => registry.getMetricsAsJSON(),
        write: () => registry.metrics(),
      }
    },
  }
}
