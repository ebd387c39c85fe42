import { SeededRandom } from '../../harness/seeded-random.ts'
import { type Fault, type FaultReport, runFault } from '../../processes/postgres-faults.ts'
import type { Observed } from '../creates/clients.ts'
import { type Counts, OrdersHistory } from './history.ts'
import { orderMeanwhile, requireSound, stockForLoad, untilOrdered } from './rounds.ts'

/**
 * As `runFault`, with orders beside the other traffic: continues until every service has accepted orders again,
 * repeats all requests that had a key, and checks the history of orders too. Throws unless both verdicts are
 * `passed`.
 */
export async function runFaultUnderOrders(
  fleet: Observed,
  seed: number,
  fault: (random: SeededRandom) => Promise<Fault>,
  stocks?: readonly number[],
): Promise<FaultReport & { orders: Counts }> {
  const history = new OrdersHistory(fleet.history)
  const shop = { ...fleet, history }
  let happened: Fault = { times: 0, overMs: 0 }
  const report = await orderMeanwhile(shop, {
    petIds: await stockForLoad(shop, stocks),
    random: new SeededRandom(seed),
    async disturb() {
      const noted = await runFault(
        fleet,
        seed,
        async (random) => {
          happened = await fault(random)
          return happened
        },
        { isQuiet: false },
      )
      await untilOrdered(shop, happened.overMs)
      return noted
    },
  })
  await requireSound(shop, { faults: happened.times, sinceMs: happened.overMs })
  return { ...report, orders: history.count() }
}
