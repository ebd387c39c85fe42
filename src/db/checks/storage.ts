import { describeDifferences } from '../schema-difference.ts'
import { defineStorage, type Storage, type Table } from '../storage.ts'
import { computedColumnsCheck } from './computed-columns.ts'
import { generatedColumnsCheck } from './generated-columns.ts'
import { idsCheck } from './ids.ts'
import { textsCheck } from './texts.ts'

/** Checks the database files, on which all other checks rely. */
export const filesStorage = defineStorage({
  checks: [
    {
      name: 'files',
      promise: 'the files of the database are intact, and its rows meet its constraints',
      scan: {
        name: 'verifyFiles',
        async run(sql) {
          const damages = await sql.findDamage()
          return damages.map(({ message, isInRows }) => ({
            record: null,
            message: isInRows
              ? `The database reports: ${message}.`
              : `The file is damaged, restore a backup: ${message}.`,
            repair: null,
            ...(isInRows ? {} : { forbidsRepairs: true }),
          }))
        },
      },
    },
  ],
})

/** Checks that nobody has changed the schema, by which the database keeps the rules. */
export const schemaStorage = defineStorage({
  checks: [
    {
      name: 'schema',
      promise: 'the tables, indexes and triggers are those that the migrations make',
      scan: {
        name: 'verifySchema',
        async run(sql) {
          const differences = await sql.compareSchema()
          return differences.map((difference) => ({
            record: null,
            message: `In the schema ${describeDifferences([difference])}.`,
            repair: null,
          }))
        },
      },
    },
  ],
})

/** The checks that follow from what tables declare. */
export function rowsStorage(tables: readonly Table[]): Storage {
  return defineStorage({
    checks: [
      idsCheck(tables),
      computedColumnsCheck(tables),
      generatedColumnsCheck(tables),
      textsCheck(tables),
    ],
  })
}
