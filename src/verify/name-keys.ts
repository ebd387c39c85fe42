import { nameKeyOf } from '../name-key.ts'
import type { Check, Finding } from './check.ts'
import {
  lockName,
  type Named,
  selectIsKeyTaken,
  selectNames,
  stepsOf,
  updateNameKey,
} from './queries.ts'

const tables = ['pets', 'categories']

export const nameKeysCheck: Check = {
  name: 'nameKeys',
  promise: 'names are found as they are written',
  scan: {
    name: 'verifyNameKeys',
    async run(sql, _input, checkTime) {
      const findings: Finding[] = []
      for (const table of tables) {
        for await (const step of stepsOf(sql, table, checkTime)) {
          const wrong = (await selectNames(sql, table, step)).filter(isWrong)
          for (const { id, name, nameKey } of wrong) {
            const key = nameKeyOf(name)
            const isTaken = table === 'categories' && (await selectIsKeyTaken(sql, table, key))
            findings.push({
              record: { table, id: String(id) },
              message: `The name_key of row ${id} of ${table} is ${JSON.stringify(nameKey)}, and that of its name is ${JSON.stringify(key)}${isTaken ? ', which another row has' : ''}.`,
              repair: isTaken ? null : 'write it anew',
            })
          }
        }
      }
      return findings
    },
  },
  repair: {
    name: 'rewriteNameKey',
    async run(sql, record) {
      const table = tables.find((name) => name === record.table)
      if (table === undefined) return null
      const named = await lockName(sql, table, BigInt(record.id))
      if (!named || !isWrong(named)) return null
      const key = nameKeyOf(named.name)
      const isTaken = table === 'categories' && (await selectIsKeyTaken(sql, table, key))
      if (!isTaken) await updateNameKey(sql, table, named.id, key)
      return null
    },
  },
}

function isWrong({ name, nameKey }: Named): boolean {
  return nameKey !== nameKeyOf(name)
}
