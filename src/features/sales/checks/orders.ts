import { oneByOne, type Sql } from '../../../db/db.ts'
import { type Step, selectLastGiven, stepsOf } from '../../../db/lists/steps.ts'
import { instantMax, instantMin, isInstant } from '../../../db/records/instants.ts'
import { defineCheck, findingOf, type RecordName } from '../../../db/storage.ts'
import { isOrderStatus } from '../order-status.ts'
import {
  type OrderDates,
  selectOrphans,
  selectStrangers,
  selectWrongOrders,
  updateOrphanCancelled,
} from './queries.ts'

/** Tolerance for clocks of several machines, and small corrections of a clock. */
const clocksDifferMaxMs = 60_000

export const ordersCheck = defineCheck({
  name: 'orders',
  promise: 'an order has the dates that its status requires, in the right order',
  async *find(sql, checkTime) {
    const limits = { instantMin, instantMax, clocksDifferMaxMs }
    for await (const step of stepsOf(sql, 'orders', checkTime)) {
      for (const order of await selectWrongOrders(sql, step, limits))
        yield findingOf('orders', order.id, `Order ${order.id} ${faultOf(order)}.`)
      for (const { id, petId, status } of await findStrangers(sql, step)) {
        const message = `Order ${id} is ${status}, but the id ${petId} was never assigned to a pet.`
        yield findingOf('orders', id, message)
      }
    }
  },
})

export const openOrdersCheck = defineCheck({
  name: 'openOrders',
  promise: 'the pet of every open order exists',
  async *find(sql, checkTime) {
    for await (const step of stepsOf(sql, 'orders', checkTime)) {
      for (const { id, petId, status } of await selectOrphans(sql, step)) {
        const message = `Order ${id} is ${status}, but there is no pet ${petId}.`
        // A shipped order is already on its way.
        yield findingOf('orders', id, message, status === 'pending' ? 'cancel it' : null)
      }
    }
  },
  repair: oneByOne<RecordName, null>({
    name: 'cancelOrphan',
    async run(tx, record) {
      const data = await updateOrphanCancelled(tx, BigInt(record.id))
      if (!data) return null
      const before = { ...data, status: 'pending' }
      tx.record(record, { type: 'order.cancelled', record: 'order', id: data.id, data, before })
      return null
    },
  }),
})

function faultOf({ status, ...dates }: OrderDates): string {
  const { createdAt, shipDate, expiresAt } = dates
  if (!isOrderStatus(status)) return `has the unknown status ${JSON.stringify(status)}`
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
