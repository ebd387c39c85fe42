import type { Check, Finding } from '../check.ts'
import { stepsOf } from '../queries.ts'
import { derivations, selectWrongDerived } from './queries.ts'

export const derivedColumnsCheck: Check = {
  name: 'derivedColumns',
  promise: 'what the database derives from the columns of a row follows from them',
  scan: {
    name: 'verifyDerivedColumns',
    async run(sql, _input, checkTime) {
      const findings: Finding[] = []
      for (const derivation of derivations) {
        const { table, column } = derivation
        for await (const step of stepsOf(sql, table, checkTime)) {
          for (const { id, value, expected } of await selectWrongDerived(sql, step, derivation)) {
            findings.push({
              record: { table, id: String(id) },
              message: `The ${column} of row ${id} of ${table} is ${value}, and this program would derive ${expected}.`,
              repair: null,
            })
          }
        }
      }
      return findings
    },
  },
}
