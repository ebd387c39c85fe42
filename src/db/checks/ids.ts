import { oneByOne } from '../db.ts'
import { selectLastRow } from '../lists/steps.ts'
import { type Check, defineCheck, findingOf, type RecordName, type Table } from '../storage.ts'

/** Checks that no id can be assigned twice. */
export function idsCheck(tables: readonly Table[]): Check {
  const names = tables.filter(({ assignsIds }) => assignsIds).map(({ name }) => name)
  return defineCheck({
    name: 'ids',
    promise: 'no table will assign an id again',
    async *find(sql) {
      for (const table of names) {
        // In this order: a row that is inserted in between has its id from the allocator.
        const last = await selectLastRow(sql, table)
        const allocated = await sql.lastId(table)
        if (last === null || last <= allocated) continue
        const message = `The last row of ${table} is ${last}, but the last assigned id is ${allocated}.`
        yield findingOf(table, last, message, `continue after ${last}`)
      }
    },
    repair: oneByOne<RecordName, null>({
      name: 'skipUsedIds',
      async run(sql, { table }) {
        const last = names.includes(table) ? await selectLastRow(sql, table) : null
        if (last !== null) await sql.skipIds(table, last)
        return null
      },
    }),
  })
}
