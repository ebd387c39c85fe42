import type { Sql } from '../db.ts'
import { stepsOf } from '../lists/steps.ts'
import type { Check, Finding, Table } from '../storage.ts'
import { selectIsText, selectTexts, type TextColumn } from './queries.ts'

/** Checks the texts of clients against the rules of the interface. */
export function textsCheck(tables: readonly Table[]): Check {
  const columns = tables.flatMap(textColumnsOf)
  return {
    name: 'texts',
    promise: 'names, descriptions and references are texts that the interface allows',
    scan: {
      name: 'verifyTexts',
      async run(sql, _input, checkTime) {
        const findings: Finding[] = []
        for (const column of columns) {
          for await (const step of stepsOf(sql, column.table, checkTime)) {
            for (const row of await selectTexts(sql, step, column)) {
              const fault =
                faultOf(row.text, column.max) ?? (await findMisreading(sql, column, row))
              if (fault === undefined) continue
              findings.push({
                record: { table: column.table, id: String(row.id) },
                message: `The ${column.column} of row ${row.id} of ${column.table} ${fault}.`,
                repair: null,
              })
            }
          }
        }
        return findings
      },
    },
  }
}

function textColumnsOf({ name: table, columns }: Table): (TextColumn & { max: number })[] {
  return Object.entries(columns).flatMap(([column, { codePointsMax: max }]) =>
    max === undefined ? [] : [{ table, column, max }],
  )
}

function faultOf(text: string, max: number): string | undefined {
  if (text === '') return 'is empty'
  if (/\p{Cc}/u.test(text)) return 'has a control character'
  if (!text.isWellFormed()) return 'has a lone surrogate'
  if (!/\S/.test(text)) return 'has only white space'
  if (text.length <= max) return undefined
  const count = Array.from(text).length
  return count > max ? `has ${count} characters; the maximum is ${max}` : undefined
}

/** Invalid UTF-8 is read as U+FFFD; few valid names contain it. */
async function findMisreading(
  sql: Sql,
  column: TextColumn,
  row: { id: bigint; text: string },
): Promise<string | undefined> {
  if (!row.text.includes('\ufffd') || (await selectIsText(sql, column, row))) return undefined
  return 'is not valid UTF-8'
}
