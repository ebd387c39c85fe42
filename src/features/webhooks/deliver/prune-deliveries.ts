import type { Job } from '../../../db/storage.ts'
import { pruneDeliveries } from './queries.ts'

const keptMs = 30 * 24 * 3_600_000

/** Deletes deliveries after 30 days, and those of deleted webhooks. Surplus succeeded ones are deleted at each success. */
export const pruneWebhookDeliveries: Job = {
  name: 'pruneWebhookDeliveries',
  intervalMs: 60_000,
  isBackground: true,
  runStep: (db, nowMs) => db.write(pruneDeliveries, nowMs - keptMs),
}
