import { oneByOne, type Row } from '../../db/db.ts'
import { DamagedRow, orDamage } from '../../db/records/damaged-row.ts'
import { defineCheck, findingOf, type RecordName } from '../../db/storage.ts'
import { deleteEvent, selectLocked, selectRowsAfter, textOf } from './queries.ts'

/** Checks the log. Readers pass over a damaged event, so a repair deletes it. */
export const eventsCheck = defineCheck({
  name: 'events',
  promise: 'events can be read',
  async *find(sql, checkTime) {
    let after = 0n
    for (;;) {
      checkTime()
      const rows = await selectRowsAfter(sql, after)
      for (const row of rows) {
        const fault = faultOf(row)
        const message = `Event ${row[0]} has invalid values: ${fault}.`
        if (fault) yield findingOf('events', row[0] as bigint, message, 'delete it')
      }
      const last = rows.at(-1)?.[0] as bigint | undefined
      // Rows of a damaged table may be out of order: this walk would not end.
      if (last === undefined || last <= after) return
      after = last
    }
  },
  repair: oneByOne<RecordName, null>({
    name: 'deleteDamagedEvent',
    async run(sql, { id }) {
      const row = await selectLocked(sql, BigInt(id))
      if (row && faultOf(row)) await deleteEvent(sql, BigInt(id))
      return null
    },
  }),
})

function faultOf(row: Row): string | undefined {
  const read = orDamage(() => textOf(row))
  return read instanceof DamagedRow ? read.columns : undefined
}
