import { type Db, defineTransaction } from '../../db/seam.ts'
import { lockCurrentStocks } from './current-stock.ts'
import { selectDuePets, selectIsDue } from './queries.ts'

/** Orders that one transaction looks at. */
const stepMax = 500

/** Expires every pending order whose time is over, and gives back what it held. */
export async function expireOrders(db: Db, nowMs: number): Promise<void> {
  while (await db.read(selectIsDue, nowMs)) await db.write(expireDueOrders, nowMs)
}

export const expireDueOrders = defineTransaction<number, null>({
  name: 'expireDueOrders',
  async run(sql, now) {
    await lockCurrentStocks(sql, await selectDuePets(sql, now, stepMax), now)
    return null
  },
})
