import { defineStorage } from '../../db/storage.ts'
import { insertLastBackup } from './queries.ts'

/** When the store was last backed up. */
export const storage = defineStorage({
  tables: [{ name: 'last_backup', survivesReset: true }],
  writes: [insertLastBackup],
})
