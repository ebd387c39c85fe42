import type { Check, Finding } from './check.ts'
import { type OrderDates, selectWrongOrders, stepsOf } from './queries.ts'

/** Clocks of several machines differ a little, and a clock may be set back a little. */
const clocksDifferMaxMs = 60_000

export const ordersCheck: Check = {
  name: 'orders',
  promise: 'an order has the dates that its status calls for, in their order',
  scan: {
    name: 'verifyOrders',
    async run(sql, _input, checkTime) {
      const findings: Finding[] = []
      for await (const step of stepsOf(sql, 'orders', checkTime)) {
        for (const order of await selectWrongOrders(sql, step, clocksDifferMaxMs)) {
          findings.push({
            record: { table: 'orders', id: String(order.id) },
            message: `Order ${order.id} ${faultOf(order)}.`,
            repair: null,
          })
        }
      }
      return findings
    },
  },
}

function faultOf({ status, createdAt, shipDate }: OrderDates): string {
  const isSent = status === 'shipped' || status === 'delivered'
  if (isSent && shipDate === null) return `is ${status} without a ship_date`
  if (!isSent && shipDate !== null) return `is ${status} and has a ship_date`
  if (shipDate !== null) return `was shipped at ${shipDate}, before it was placed at ${createdAt}`
  return `is ${status} without an expires_at`
}
