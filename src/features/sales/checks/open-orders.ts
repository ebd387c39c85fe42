import { oneByOne } from '../../../db/db.ts'
import { stepsOf } from '../../../db/lists/steps.ts'
import type { Check, Finding, RecordName } from '../../../db/storage.ts'
import { selectOrphans, updateOrphanCancelled } from './queries.ts'

export const openOrdersCheck: Check = {
  name: 'openOrders',
  promise: 'the pet of every open order exists',
  scan: {
    name: 'verifyOpenOrders',
    async run(sql, _input, checkTime) {
      const findings: Finding[] = []
      for await (const step of stepsOf(sql, 'orders', checkTime)) {
        for (const { id, petId, status } of await selectOrphans(sql, step)) {
          findings.push({
            record: { table: 'orders', id: String(id) },
            message: `Order ${id} is ${status}, but there is no pet ${petId}.`,
            // A shipped order is already on its way.
            repair: status === 'pending' ? 'cancel it' : null,
          })
        }
      }
      return findings
    },
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
}
