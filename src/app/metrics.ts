import { selectLastBackup } from '../admin/backup/queries.ts'
import { isLoopback } from '../admin/doctor/quantities.ts'
import type { Config } from '../config/config.ts'
import { eventTypes } from '../features/event-types.ts'
import { createOrderOperation } from '../features/sales/contract/orders.ts'
import { selectOldestDue } from '../features/webhooks/deliver/queries.ts'
import type { Observer } from '../http/observe.ts'
import { createMetrics } from '../telemetry/metrics/metrics.ts'
import { serveMetrics } from '../telemetry/metrics/serve-metrics.ts'
import { versionOf } from '../version.ts'
import type { App } from './app.ts'
import { explainListening } from './explain-listening.ts'
import { contract } from './operations.ts'

/** The metrics of a service: what observes it, and what serves them. */
export type ServiceMetrics = {
  observers: readonly Observer[]
  /** Returns where they are served. Throws `ExitError`. */
  listen(app: Pick<App, 'context' | 'connections' | 'log'>): Promise<{ url: string; close(): void }>
}

/** The metrics of a service whose settings have an address for them. */
export function openMetrics(
  { environment, database, connectionsMax, streamsMax }: Config,
  address: NonNullable<Config['metricsAddress']>,
): ServiceMetrics {
  const { observers, expose } = createMetrics({
    operations: contract,
    sale: createOrderOperation,
    types: Object.keys(eventTypes),
    build: {
      version: versionOf(),
      node: process.versions.node,
      engine: database.engine,
      environment,
    },
  })
  return {
    observers,
    async listen({ context: { db, feed, clock }, connections, log }) {
      const exposition = expose({
        db,
        connections: { count: connections.count, max: connectionsMax },
        streams: { count: () => feed?.streams() ?? 0, max: streamsMax },
        lastBackupMs: async () => Number((await db.read(selectLastBackup, undefined))?.madeAt ?? 0),
        async oldestDueMs() {
          const dueAt = await db.read(selectOldestDue, undefined)
          return dueAt === undefined ? 0 : Math.max(0, clock() - dueAt)
        },
      })
      const onFailure = (err: unknown) => log.error({ err }, 'The metrics could not be read.')
      const served = await serveMetrics(exposition, address, onFailure).catch((error) => {
        throw explainListening(error, {
          ...address,
          setting: 'PETSTORE_METRICS_ADDRESS',
          advice: 'Choose another with PETSTORE_METRICS_ADDRESS.',
        })
      })
      if (!isLoopback(address.host)) {
        log.warn(
          `PETSTORE_METRICS_ADDRESS is ${address.text}, and metrics need no key: let only your Prometheus reach that port.`,
        )
      }
      return served
    },
  }
}
