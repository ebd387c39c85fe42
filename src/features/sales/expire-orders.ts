import { oneByOne } from '../../db/db.ts'
import type { Job } from '../../db/storage.ts'
import { lockAndExpire } from './lock-and-expire.ts'
import { selectDuePets, selectIsDue } from './queries.ts'

/** The most orders in one transaction. */
const stepMax = 500

/** Expires every due pending order and releases its stock. */
export const expireOrders: Job = {
  name: 'expireOrders',
  intervalMs: 1_000,
  async runStep(db, nowMs) {
    const isDue = await db.read(selectIsDue, nowMs)
    if (isDue) await db.write(expireDueOrders, nowMs)
    return isDue
  },
}

export const expireDueOrders = oneByOne<number, null>({
  name: 'expireDueOrders',
  async run(sql, now) {
    const petIds = await selectDuePets(sql, now, stepMax)
    await lockAndExpire(
      sql,
      petIds.map((petId) => ({ petId, now })),
    )
    return null
  },
})
