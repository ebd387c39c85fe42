import { defineStorage, type Storage, type Table } from '../storage.ts'
import { computedColumnsCheck } from './computed-columns.ts'
import { generatedColumnsCheck } from './generated-columns.ts'
import { idsCheck } from './ids.ts'
import { textsCheck } from './texts.ts'

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
