import { oneByOne } from '../../../db/db.ts'
import type { Job } from '../../../db/storage.ts'
import { deleteDeliveries, selectDoomed, selectHasDeliveries } from './queries.ts'

const keptMs = 30 * 24 * 3_600_000
/** The most deliveries that one transaction deletes. */
const prunedMax = 500

/** Deletes deliveries after 30 days, those of deleted webhooks, and those beyond the number that is kept. */
export const pruneWebhookDeliveries: Job = {
  name: 'pruneWebhookDeliveries',
  intervalMs: 10_000,
  isBackground: true,
  async runStep(db, nowMs, limits) {
    // A scan has a worker, which most stores never need.
    if (!(await db.read(selectHasDeliveries, undefined))) return false
    const createdUntil = nowMs - keptMs
    const max = limits?.deliveriesMax ?? Number.POSITIVE_INFINITY
    const ids = await db.scan(selectDoomed, { createdUntil, max })
    for (let at = 0; at < ids.length; at += prunedMax)
      await db.write(pruneDeliveries, { ids: ids.slice(at, at + prunedMax), createdUntil })
    return ids.length > 0
  },
}

type Prune = { ids: readonly bigint[]; createdUntil: number }

export const pruneDeliveries = oneByOne<Prune, null>({
  name: 'pruneWebhookDeliveries',
  async run(tx, { ids, createdUntil }) {
    await deleteDeliveries(tx, ids, createdUntil)
    return null
  },
})
