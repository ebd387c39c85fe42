import { oneByOne } from '../../db/db.ts'
import { keyRecord } from './contract/keys.ts'
import { deleteEndedKeyRows, hasEndedKeys, lockKeys } from './queries.ts'

const keptMs = 365 * 86_400_000
/** The most keys that one transaction deletes. */
const deletedMax = 1_000

/** Deletes keys that ended a year ago, one step at a time; returns whether more may be left. */
export const deleteEndedKeys = oneByOne<{ now: number }, boolean>({
  name: 'deleteEndedKeys',
  async run(tx, input) {
    const endedAt = input.now - keptMs
    // Without need no lock: after it every process looks its keys up again.
    if (!(await hasEndedKeys(tx, endedAt))) return false
    await lockKeys(tx)
    const deleted = await deleteEndedKeyRows(tx, endedAt, deletedMax)
    for (const key of deleted)
      tx.record(input, {
        type: 'key.deleted',
        record: 'key',
        id: key.id,
        data: keyRecord.recorded(key),
      })
    return deleted.length === deletedMax
  },
})
