import { defineStorage } from '../../db/storage.ts'
import { updateReadiness } from './queries.ts'

export const storage = defineStorage({
  tables: [{ name: 'readiness', survivesReset: true, firstRows: [{ id: 1, probed_at: 0 }] }],
  writes: [updateReadiness],
})
