import { defineStorage } from '../../db/storage.ts'
import { insertLastBackup } from './queries.ts'

/** When the store was last backed up. */
export const storage = defineStorage({
  tables: [
    {
      name: 'last_backup',
      survivesReset: true,
      key: ['id'],
      columns: { id: { type: 'int64' }, made_at: { type: 'int64' }, file: { type: 'text' } },
    },
  ],
  writes: [insertLastBackup],
})
