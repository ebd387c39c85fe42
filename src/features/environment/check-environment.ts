import type { Check } from '../../db/storage.ts'
import { selectEnvironment } from './queries.ts'

export const environmentCheck: Check = {
  name: 'environment',
  promise: 'the store belongs to an environment',
  scan: {
    name: 'verifyEnvironment',
    async run(sql) {
      const [owner] = await selectEnvironment.run(sql, [undefined])
      if (owner !== undefined) return []
      return [
        {
          record: { table: 'environment', id: '1' },
          message:
            'The store has no environment, production or staging; the next service to use it claims it.',
          repair: null,
        },
      ]
    },
  },
}
