import { defineStorage } from '../../db/storage.ts'
import { insertKey } from './create-key.ts'
import { deleteEndedKeys } from './delete-ended-keys.ts'
import { keys, keysList, updateKeyUsed } from './queries.ts'
import { endKey } from './revoke-key.ts'
import { replaceKey } from './rotate-key.ts'
import { changeKey } from './update-key.ts'

export const storage = defineStorage({
  tables: [
    { name: 'keys', survivesReset: true, ...keys.declared },
    { name: 'keys_revision', survivesReset: true, firstRows: [{ id: 1, revision: 0 }] },
  ],
  writes: [insertKey, changeKey, replaceKey, endKey, deleteEndedKeys, updateKeyUsed],
  scans: [keysList.search, keysList.count],
  jobs: [
    {
      name: 'deleteEndedKeys',
      intervalMs: 3_600_000,
      runStep: (db, now) => db.write(deleteEndedKeys, { now }),
    },
  ],
})
