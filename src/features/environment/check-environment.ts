import type { Check } from '../../db/storage.ts'
import { selectEnvironment } from './queries.ts'

export const environmentCheck: Check = {
  name: 'environment',
  promise: 'the store says whose data it holds',
  scan: {
    name: 'verifyEnvironment',
    async run(sql) {
      const [owner] = await selectEnvironment.run(sql, [undefined])
      if (owner !== undefined) return []
      return [
        {
          record: { table: 'environment', id: '1' },
          message:
            'The store does not say whether it holds the data of production or of staging; whoever uses it next claims it.',
          repair: null,
        },
      ]
    },
  },
}
