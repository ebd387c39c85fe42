import { describeDifferences } from '../schema/schema-difference.ts'
import { defineCheck, defineStorage, type Storage, type Table } from '../storage.ts'
import { computedColumnsCheck } from './computed-columns.ts'
import { generatedColumnsCheck } from './generated-columns.ts'
import { idsCheck } from './ids.ts'
import { textsCheck } from './texts.ts'

/** Checks the database files, on which all other checks rely. */
export const filesStorage = defineStorage({
  checks: [
    defineCheck({
      name: 'files',
      promise: 'the files of the database are intact, and its rows meet its constraints',
      async *find(sql) {
        for (const { message: found, isInRows } of await sql.findDamage()) {
          const meaning = isInRows
            ? 'The database reports'
            : 'The file is damaged, restore a backup'
          const finding = { record: null, message: `${meaning}: ${found}.`, repair: null }
          yield isInRows ? finding : { ...finding, forbidsRepairs: true }
        }
      },
    }),
  ],
})

/** Checks that nobody has changed the schema, by which the database keeps the rules. */
export const schemaStorage = defineStorage({
  checks: [
    defineCheck({
      name: 'schema',
      promise: 'the tables, indexes and triggers are those that the migrations make',
      async *find(sql) {
        for (const difference of await sql.compareSchema()) {
          const message = `In the schema ${describeDifferences([difference])}.`
          yield { record: null, message, repair: null }
        }
      },
    }),
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
