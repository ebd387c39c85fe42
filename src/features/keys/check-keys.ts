import { stepsOf } from '../../db/lists/steps.ts'
import { defineCheck, findingOf } from '../../db/storage.ts'
import { selectKeyValues } from './queries.ts'

/** Checks the keys of a service with these scopes. */
export const keysCheck = (known: readonly string[]) =>
  defineCheck({
    name: 'keys',
    promise: 'the scopes and dates of every key are valid',
    async *find(sql, checkTime) {
      for await (const step of stepsOf(sql, 'keys', checkTime)) {
        for (const { id, scopes, invalid } of await selectKeyValues(sql, step)) {
          const faults = [
            ...scopes
              .filter((scope) => scope !== 'default' && !known.includes(scope))
              .map((scope) => `the unknown scope ${JSON.stringify(scope)}`),
            ...(scopes.length === 0 ? ['no scope'] : []),
            ...invalid.map(([column, ms]) => `the ${column} ${ms}, which is not a valid date`),
          ]
          if (faults.length > 0)
            yield findingOf('keys', id, `Key ${id} has ${faults.join(' and ')}.`)
        }
      }
    },
  })
