import { defineCheck, findingOf } from '../../db/storage.ts'
import { selectEnvironment } from './queries.ts'

export const environmentCheck = defineCheck({
  name: 'environment',
  promise: 'the store belongs to an environment',
  async *find(sql) {
    const [owner] = await selectEnvironment.run(sql, [undefined])
    const message =
      'The store has no environment, production or staging; the next service to use it claims it.'
    if (owner === undefined) yield findingOf('environment', '1', message)
  },
})
