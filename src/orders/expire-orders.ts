import type { Context } from '../context.ts'
import type { Transaction } from '../db/seam.ts'
import { lockStocks } from '../inventory/hold.ts'
import { selectDuePets, selectIsDue } from './queries.ts'

/** Orders that one transaction looks at. */
const stepMax = 500

/** Expires every pending order whose time is over, and gives back what it held. */
export async function expireOrders({ db, clock }: Context): Promise<void> {
  const now = clock()
  while (await db.read(selectIsDue, now)) await db.write(expireDueOrders, now)
}

export const expireDueOrders: Transaction<number, null> = {
  name: 'expireDueOrders',
  together: false,
  async run(sql, inputs) {
    const [now] = inputs as [number]
    await lockStocks(sql, await selectDuePets(sql, now, stepMax), now)
    return [{ value: null }]
  },
}
