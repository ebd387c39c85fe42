import { selectLastBackup } from '../admin/backup/queries.ts'
import type { Config } from '../config/config.ts'
import type { Context } from '../context/context.ts'
import { eventTypes } from '../features/event-types.ts'
import { createOrderOperation } from '../features/sales/contract/orders.ts'
import { selectOldestDue } from '../features/webhooks/deliver/queries.ts'
import { createMetrics } from '../telemetry/metrics/metrics.ts'
import { versionOf } from '../version.ts'
import type { App } from './app.ts'
import { contract } from './operations.ts'

type Exposed = { context: Context; connections: App['connections'] }

/** The metrics of a service: what observes it, and what reads them. */
export function openMetrics({ environment, database, connectionsMax, streamsMax }: Config) {
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
    expose: ({ context: { db, feed, clock }, connections }: Exposed) =>
      expose({
        db,
        connections: { count: connections.count, max: connectionsMax },
        streams: { count: () => feed?.streams() ?? 0, max: streamsMax },
        lastBackupMs: async () => Number((await db.read(selectLastBackup, undefined))?.madeAt ?? 0),
        async oldestDueMs() {
          const dueAt = await db.read(selectOldestDue, undefined)
          return dueAt === undefined ? 0 : Math.max(0, clock() - dueAt)
        },
      }),
  }
}
