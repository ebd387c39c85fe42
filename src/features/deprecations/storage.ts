import { defineStorage } from '../../db/storage.ts'
import { addDeprecatedCalls } from './queries.ts'

export const storage = defineStorage({
  tables: [
    {
      name: 'deprecated_calls',
      key: ['day', 'operation', 'key_id'],
      columns: {
        day: { type: 'int64' },
        operation: { type: 'text' },
        key_id: { type: 'int64' },
        calls: { type: 'int64' },
      },
    },
  ],
  writes: [addDeprecatedCalls],
})
