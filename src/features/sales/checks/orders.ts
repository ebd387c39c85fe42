import type { Sql } from '../../../db/db.ts'
import { instantMax, instantMin, isInstant } from '../../../db/instants.ts'
import { type Step, selectLastGiven, stepsOf } from '../../../db/lists/steps.ts'
import type { Check, Finding } from '../../../db/storage.ts'
import { type OrderDates, selectStrangers, selectWrongOrders } from './queries.ts'

/** Tolerance for clocks of several machines, and small corrections of a clock. */
const clocksDifferMaxMs = 60_000

const statuses = ['pending', 'shipped', 'delivered', 'cancelled', 'expired']

export const ordersCheck: Check = {
  name: 'orders',
  promise: 'an order has the dates that its status requires, in the right order',
  scan: {
    name: 'verifyOrders',
    async run(sql, _input, checkTime) {
      const findings: Finding[] = []
      for await (const step of stepsOf(sql, 'orders', checkTime)) {
        const limits = { instantMin, instantMax, clocksDifferMaxMs }
        for (const order of await selectWrongOrders(sql, step, limits)) {
          findings.push(findingOf(order.id, faultOf(order)))
        }
        for (const { id, petId, status } of await findStrangers(sql, step)) {
          findings.push(
            findingOf(id, `is ${status}, but the id ${petId} was never assigned to a pet`),
          )
        }
      }
      return findings
    },
  },
}

function findingOf(id: bigint, fault: string): Finding {
  return {
    record: { table: 'orders', id: String(id) },
    message: `Order ${id} ${fault}.`,
    repair: null,
  }
}

function faultOf({ status, ...dates }: OrderDates): string {
  const { createdAt, shipDate, expiresAt } = dates
  if (!statuses.includes(status)) return `has the unknown status ${JSON.stringify(status)}`
  const instants = { created_at: createdAt, ship_date: shipDate, expires_at: expiresAt }
  for (const [column, ms] of Object.entries(instants)) {
    if (ms !== null && !isInstant(ms)) return `has the ${column} ${ms}, which is not a valid date`
  }
  const isSent = status === 'shipped' || status === 'delivered'
  if (isSent && shipDate === null) return `is ${status} without a ship_date`
  if (!isSent && shipDate !== null) return `is ${status} and has a ship_date`
  if (shipDate !== null) return `was shipped at ${shipDate}, before it was placed at ${createdAt}`
  return `is ${status} without an expires_at`
}

/** Closed orders that name a pet that never existed. The row of a deleted pet is gone, but its id was assigned. */
async function findStrangers(sql: Sql, step: Step) {
  const strangers = await selectStrangers(sql, step, await selectLastGiven(sql, 'pets'))
  if (strangers.length === 0) return []
  // Read again after the orders: a pet may have been added, sold and delivered meanwhile.
  const lastPet = await selectLastGiven(sql, 'pets')
  return strangers.filter(({ petId }) => petId < 1n || petId > lastPet)
}
