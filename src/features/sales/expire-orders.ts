import { type Db, defineTransaction } from '../../db/db.ts'
import { lockAndExpire } from './lock-and-expire.ts'
import { selectDuePets, selectIsDue } from './queries.ts'

/** The most orders in one transaction. */
const stepMax = 500

/** Expires every due pending order and releases its stock. */
export async function expireOrders(db: Db, nowMs: number): Promise<void> {
  while (await db.read(selectIsDue, nowMs)) await db.write(expireDueOrders, nowMs)
}

export const expireDueOrders = defineTransaction<number, null>({
  name: 'expireDueOrders',
  async run(sql, now) {
    await lockAndExpire(sql, await selectDuePets(sql, now, stepMax), now)
    return null
  },
})
