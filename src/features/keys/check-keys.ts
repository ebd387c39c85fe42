import { isInstant } from '../../db/instants.ts'
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
        for (const key of await selectKeyValues(sql, step)) {
          const named = key.scopes.split(' ').filter((scope) => scope !== '')
          const strange = named.filter((scope) => scope !== 'default' && !known.includes(scope))
          const faults = strange.map((scope) => `the unknown scope ${JSON.stringify(scope)}`)
          if (named.length === 0) faults.push('no scope')
          for (const [column, ms] of Object.entries(key.instants)) {
            if (ms !== null && !isInstant(ms))
              faults.push(`the ${column} ${ms}, which is not a valid date`)
          }
          if (faults.length === 0) continue
          findings.push({
            record: { table: 'keys', id: String(key.id) },
            message: `Key ${key.id} has ${faults.join(' and ')}.`,
            repair: null,
          })
        }
      }
      return findings
    },
  },
})
