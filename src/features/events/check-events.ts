import { readableCheck } from '../../db/checks/readable.ts'
import { oneByOne } from '../../db/db.ts'
import { DamagedRow, orDamage } from '../../db/records/damaged-row.ts'
import type { Check, RecordName } from '../../db/storage.ts'
import { deleteEvent, eventsTable, selectLocked } from './queries.ts'

/** Checks the log. Readers pass over a damaged event, so a repair deletes it. */
export const eventsCheck: Check = {
  ...readableCheck('events', 'events can be read', [{ ...eventsTable, repair: 'delete it' }]),
  repair: oneByOne<RecordName, null>({
    name: 'deleteDamagedEvent',
    async run(sql, { id }) {
      const row = await selectLocked(sql, BigInt(id))
      const event = row && orDamage(() => eventsTable.itemOf(row))
      if (event instanceof DamagedRow) await deleteEvent(sql, BigInt(id))
      return null
    },
  }),
}
