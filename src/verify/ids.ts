import type { Check, Finding } from './check.ts'
import { selectLastRow } from './queries.ts'

const tables = ['pets', 'orders', 'categories', 'keys']

export const idsCheck: Check = {
  name: 'ids',
  promise: 'no table will give out an id that it has given out',
  scan: {
    name: 'verifyIds',
    async run(sql) {
      const findings: Finding[] = []
      for (const table of tables) {
        // In this order: what is inserted in between has got its id from the allocator.
        const last = await selectLastRow(sql, table)
        const allocated = await sql.lastId(table)
        if (last === null || last <= allocated) continue
        findings.push({
          record: { table, id: String(last) },
          message: `The last row of ${table} is ${last}, and the last id that was given out is ${allocated}.`,
          repair: `go on behind ${last}`,
        })
      }
      return findings
    },
  },
  repair: {
    name: 'skipUsedIds',
    async run(sql, record) {
      const table = tables.find((name) => name === record.table)
      const last = table === undefined ? null : await selectLastRow(sql, table)
      if (table !== undefined && last !== null) await sql.skipIds(table, last)
      return null
    },
  },
}
