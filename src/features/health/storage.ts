import { defineStorage } from '../../db/storage.ts'
import { updateReadiness } from './queries.ts'

export const storage = defineStorage({
  tables: [
    {
      name: 'readiness',
      survivesReset: true,
      key: ['id'],
      columns: { id: { type: 'int64' }, probed_at: { type: 'int64' } },
      firstRows: [{ id: 1, probed_at: 0 }],
    },
  ],
  writes: [updateReadiness],
})
