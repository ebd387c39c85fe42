import { defineStorage } from '../../db/storage.ts'
import { environmentCheck } from './check-environment.ts'
import { insertEnvironment } from './queries.ts'

export const storage = defineStorage({
  tables: [{ name: 'environment', survivesReset: true }],
  writes: [insertEnvironment],
  checks: [environmentCheck],
})
