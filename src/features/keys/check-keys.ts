import { stepsOf } from '../../db/lists/steps.ts'
import type { Check, Finding } from '../../db/storage.ts'
import { selectKeyValues } from './queries.ts'

/** Checks the keys of a service with these scopes. */
export const keysCheck = (known: readonly string[]): Check => ({
  name: 'keys',
  promise: 'the scopes and dates of every key are valid',
  scan: {
    name: 'verifyKeys',
    async run(sql, _input, checkTime) {
      const findings: Finding[] = []
      for await (const step of stepsOf(sql, 'keys', checkTime)) {
        for (const { id, scopes, invalid } of await selectKeyValues(sql, step)) {
          const faults = [
            ...scopes
              .filter((scope) => scope !== 'default' && !known.includes(scope))
              .map((scope) => `the unknown scope ${JSON.stringify(scope)}`),
            ...(scopes.length === 0 ? ['no scope'] : []),
            ...invalid.map(([column, ms]) => `the ${column} ${ms}, which is not a valid date`),
          ]
          if (faults.length === 0) continue
          const message = `Key ${id} has ${faults.join(' and ')}.`
          findings.push({ record: { table: 'keys', id }, message, repair: null })
        }
      }
      return findings
    },
  },
})
