import { DamagedRow, orDamage } from '../../db/damaged-row.ts'
import { rowsOf } from '../../db/lists/steps.ts'
import type { Check, Finding } from '../../db/storage.ts'
import * as deliveries from './deliveries/queries.ts'
import * as webhooks from './queries.ts'

const records = [
  { table: 'webhooks', columns: webhooks.columns, read: webhooks.webhookOf },
  { table: 'webhook_deliveries', columns: deliveries.columns, read: deliveries.deliveryOf },
]

export const webhooksCheck: Check = {
  name: 'webhooks',
  promise: 'webhooks and their deliveries can be read, and each webhook has a place in the log',
  scan: {
    name: 'verifyWebhooks',
    async run(sql, _input, checkTime) {
      const findings: Finding[] = []
      const add = (table: string, id: unknown, message: string) =>
        findings.push({ record: { table, id: String(id) }, message, repair: null })
      for (const { table, columns, read } of records) {
        for await (const rows of rowsOf(sql, { table, columns: [columns] }, checkTime)) {
          for (const row of rows) {
            const found = orDamage(() => read(row))
            if (found instanceof DamagedRow)
              add(table, row[0], `Row ${row[0]} of ${table} has invalid values: ${found.columns}.`)
          }
        }
      }
      for (const id of await webhooks.selectWithoutQueue(sql))
        add('webhooks', id, `Webhook ${id} has no row in webhook_queues, so nothing is sent to it.`)
      return findings
    },
  },
}
