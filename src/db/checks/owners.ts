import type * as Type from '../../contract/type.ts'
import { oneByOne } from '../db.ts'
import { lockRows, selectByIds } from '../lists/by-id.ts'
import { stepsOf } from '../lists/steps.ts'
import type { RecordTable } from '../records/records.ts'
import { type Check, defineCheck, findingOf, type RecordName } from '../storage.ts'

/** Finds records under the id of a record of another kind that does not exist. The repair deletes them, each with its event. */
export function ownersCheck<Schema extends Type.TObject>(
  records: RecordTable<Schema>,
  { name, noun, owner }: { name: string; noun: string; owner: string },
): Check {
  const { table } = records
  const owners = `${owner}s`
  return defineCheck({
    name,
    promise: `the ${owner} of each ${noun} record exists`,
    async *find(sql, checkTime) {
      for await (const { after, last } of stepsOf(sql, table, checkTime)) {
        const rows = await sql.all<[bigint]>(
          `select id from ${table} where id > ?1 and id <= ?2
          and not exists (select 1 from ${owners} where ${owners}.id = ${table}.id) order by id`,
          [after, last],
        )
        for (const [id] of rows) {
          const message = `Row ${id} of ${table} belongs to a ${owner} that does not exist.`
          yield findingOf(table, id, message, 'delete it')
        }
      }
    },
    repair: oneByOne<RecordName, null>({
      name: `${name}Repair`,
      async run(tx, record) {
        const id = BigInt(record.id)
        const data = (await selectByIds(tx, records, [id])).get(id)
        if (data === undefined || (await lockRows(tx, owners, [id])).has(id)) return null
        await records.delete(tx, [id])
        tx.record(record, { type: `${noun}.deleted`, record: owner, id, data: data as object })
        return null
      },
    }),
  })
}
