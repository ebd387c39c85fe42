import { oneByOne } from '../db.ts'
import { selectLastRow } from '../lists/steps.ts'
import type { Check, Finding, RecordName, Table } from '../storage.ts'

/** Checks that no id can be assigned twice. */
export function idsCheck(tables: readonly Table[]): Check {
  const names = tables.filter(({ assignsIds }) => assignsIds).map(({ name }) => name)
  return {
    name: 'ids',
    promise: 'no table will assign an id again',
    scan: {
      name: 'verifyIds',
      async run(sql) {
        const findings: Finding[] = []
        for (const table of names) {
          // In this order: a row that is inserted in between has its id from the allocator.
          const last = await selectLastRow(sql, table)
          const allocated = await sql.lastId(table)
          if (last === null || last <= allocated) continue
          findings.push({
            record: { table, id: String(last) },
            message: `The last row of ${table} is ${last}, but the last assigned id is ${allocated}.`,
            repair: `continue after ${last}`,
          })
        }
        return findings
      },
    },
    repair: oneByOne<RecordName, null>({
      name: 'skipUsedIds',
      async run(sql, record) {
        const table = names.find((name) => name === record.table)
        const last = table === undefined ? null : await selectLastRow(sql, table)
        if (table !== undefined && last !== null) await sql.skipIds(table, last)
        return null
      },
    }),
  }
}
