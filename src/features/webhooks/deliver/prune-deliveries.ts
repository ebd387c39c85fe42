import { oneByOne } from '../../../db/db.ts'
import type { Job } from '../../../db/storage.ts'
import {
  countDeliveries,
  deleteDeliveries,
  selectIdRange,
  selectOldest,
  selectPrunable,
} from './queries.ts'

const keptMs = 30 * 24 * 3_600_000
/** The most deliveries that one transaction deletes. */
const prunedMax = 500

/** Deletes deliveries after 30 days, those of deleted webhooks, and those beyond the number that is kept. */
export const pruneWebhookDeliveries: Job = {
  name: 'pruneWebhookDeliveries',
  intervalMs: 10_000,
  isBackground: true,
  async runStep(db, nowMs, limits) {
    const max = limits?.deliveriesMax ?? Number.POSITIVE_INFINITY
    const mayBeMore = (await db.read(selectIdRange, undefined)) > max
    const count = mayBeMore ? await db.scan(countDeliveries, undefined) : 0
    const surplus = Math.max(0, count - max)
    return db.write(pruneDeliveries, { createdUntil: nowMs - keptMs, surplus })
  },
}

type Prune = { createdUntil: number; surplus: number }

/** Deletes the next deliveries; of surplus ones the oldest that succeeded first, then those that failed, then the others. */
export const pruneDeliveries = oneByOne<Prune, boolean>({
  name: 'pruneWebhookDeliveries',
  async run(tx, { createdUntil, surplus }) {
    const prunable = await selectPrunable(tx, createdUntil, prunedMax)
    const doomed = new Set(prunable)
    const most = Math.min(prunedMax, surplus)
    const pruned: bigint[] = []
    for (const status of ['succeeded', 'failed', 'pending'] as const) {
      if (doomed.size >= most) break
      const oldest = await selectOldest(tx, status, most - doomed.size)
      for (const id of oldest) doomed.add(id)
      if (status !== 'succeeded') pruned.push(...oldest)
    }
    await deleteDeliveries(tx, [...doomed], pruned)
    return doomed.size >= prunedMax
  },
})
