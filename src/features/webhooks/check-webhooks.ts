import { DamagedRow, orDamage } from '../../db/damaged-row.ts'
import { rowsOf } from '../../db/lists/steps.ts'
import { defineCheck, findingOf } from '../../db/storage.ts'
import { deliveries } from './deliveries/queries.ts'
import { webhooks } from './queries.ts'

export const webhooksCheck = defineCheck({
  name: 'webhooks',
  promise: 'webhooks and their deliveries can be read',
  async *find(sql, checkTime) {
    for (const { table, columns, itemOf } of [webhooks, deliveries]) {
      for await (const rows of rowsOf(sql, { table, columns: [columns] }, checkTime)) {
        for (const row of rows) {
          const id = row[0] as bigint
          const found = orDamage<unknown>(() => itemOf(row))
          if (!(found instanceof DamagedRow)) continue
          const message = `Row ${id} of ${table} has invalid values: ${found.columns}.`
          yield findingOf(table, id, message)
        }
      }
    }
  },
})
