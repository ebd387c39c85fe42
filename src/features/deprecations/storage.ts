import { defineStorage } from '../../db/storage.ts'
import { addDeprecatedCalls } from './queries.ts'

export const storage = defineStorage({
  tables: [{ name: 'deprecated_calls' }],
  writes: [addDeprecatedCalls],
})
