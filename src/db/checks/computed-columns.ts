import { oneByOne } from '../db.ts'
import { stepsOf } from '../lists/steps.ts'
import type { Check, Finding, RecordName, Table } from '../storage.ts'
import {
  type ComputedColumn,
  lockComputed,
  selectComputed,
  selectIsTaken,
  updateComputed,
} from './queries.ts'

/** Columns that the service computes from others, such as the search keys of names. */
export function computedColumnsCheck(tables: readonly Table[]): Check {
  const columns = tables.flatMap(computedColumnsOf)
  return {
    name: 'nameKeys',
    promise: 'records are found by their names',
    scan: {
      name: 'verifyNameKeys',
      async run(sql, _input, checkTime) {
        const findings: Finding[] = []
        for (const column of columns) {
          const { table, name, from, compute } = column
          for await (const step of stepsOf(sql, table, checkTime)) {
            for (const { id, source, value } of await selectComputed(sql, column, step)) {
              // A damaged row may lack it, which the check of the files reports.
              if (source === null) continue
              const right = compute(source)
              if (value === right) continue
              const isTaken = column.isUnique && (await selectIsTaken(sql, column, right))
              findings.push({
                record: { table, id: String(id) },
                message: `The ${name} of row ${id} of ${table} is ${JSON.stringify(value)}, but its ${from} requires ${JSON.stringify(right)}${isTaken ? ', which another row has' : ''}.`,
                repair: isTaken ? null : 'compute it again',
              })
            }
          }
        }
        return findings
      },
    },
    repair: oneByOne<RecordName, null>({
      name: 'rewriteNameKey',
      async run(sql, record) {
        for (const column of columns.filter(({ table }) => table === record.table)) {
          const found = await lockComputed(sql, column, BigInt(record.id))
          if (!found || found.source === null) continue
          const right = column.compute(found.source)
          if (found.value === right) continue
          const isTaken = column.isUnique && (await selectIsTaken(sql, column, right))
          if (!isTaken) await updateComputed(sql, column, found.id, right)
        }
        return null
      },
    }),
  }
}

function computedColumnsOf({ name: table, columns }: Table): ComputedColumn[] {
  return Object.entries(columns).flatMap(([name, { computed }]) =>
    computed ? [{ table, name, ...computed }] : [],
  )
}
