import { oneByOne, type Row, type Sql } from '../../../db/db.ts'
import { rowsOf, type Step, selectLastGiven, stepsOf } from '../../../db/lists/steps.ts'
import { DamagedRow, orDamage } from '../../../db/records/damaged-row.ts'
import { defineCheck, findingOf, type RecordName } from '../../../db/storage.ts'
import { orderColumns, orderOf } from '../queries.ts'
import { selectOrphans, selectStrangers, updateOrphanCancelled } from './queries.ts'

/** Tolerance for clocks of several machines, and small corrections of a clock. */
const clocksDifferMaxMs = 60_000

export const ordersCheck = defineCheck({
  name: 'orders',
  promise: 'an order has the dates that its status requires, in the right order',
  async *find(sql, checkTime) {
    const read = { table: 'orders', columns: [orderColumns] }
    for await (const rows of rowsOf(sql, read, checkTime)) {
      for (const row of rows) {
        const [id] = row as [bigint]
        const fault = faultOf(row)
        if (fault) yield findingOf('orders', id, `Order ${id} ${fault}.`)
      }
    }
    for await (const step of stepsOf(sql, 'orders', checkTime)) {
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

function faultOf(row: Row): string | undefined {
  const order = orDamage(() => orderOf(row))
  if (order instanceof DamagedRow) return `has invalid values: ${order.columns}`
  const { status, createdAt, shipDate, expiresAt } = order
  const isSent = status === 'shipped' || status === 'delivered'
  if (isSent && !shipDate) return `is ${status} without a ship_date`
  if (!isSent && shipDate) return `is ${status} and has a ship_date`
  if (shipDate && Date.parse(shipDate) < Date.parse(createdAt) - clocksDifferMaxMs)
    return `was shipped at ${shipDate}, before it was placed at ${createdAt}`
  if (status === 'expired' && !expiresAt) return `is ${status} without an expires_at`
  return undefined
}

/** Closed orders that name a pet that never existed. The row of a deleted pet is gone, but its id was assigned. */
async function findStrangers(sql: Sql, step: Step) {
  const strangers = await selectStrangers(sql, step, await selectLastGiven(sql, 'pets'))
  if (strangers.length === 0) return []
  // Read again after the orders: a pet may have been added, sold and delivered meanwhile.
  const lastPet = await selectLastGiven(sql, 'pets')
  return strangers.filter(({ petId }) => petId < 1n || petId > lastPet)
}
