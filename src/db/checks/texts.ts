import type { Sql } from '../db.ts'
import type { Check, Table } from '../storage.ts'
import { type CheckedColumns, findInRows } from './find-in-rows.ts'

/** Checks the texts of clients against the rules of the interface. */
export function textsCheck(tables: readonly Table[]): Check {
  const columns = tables.flatMap(textColumnsOf)
  return {
    name: 'texts',
    promise: 'names, descriptions and references are texts that the interface allows',
    scan: {
      name: 'verifyTexts',
      run: (sql, _input, checkTime) =>
        findInRows<TextColumn, TextRow>(sql, columns, checkTime, async (column, [id, text]) => {
          const { table, name, max } = column
          if (text === null) return []
          const fault = faultOf(text, max) ?? (await findMisreading(sql, column, id, text))
          if (fault === undefined) return []
          const message = `The ${name} of row ${id} of ${table} ${fault}.`
          return [{ record: { table, id: String(id) }, message, repair: null }]
        }),
    },
  }
}

type TextColumn = CheckedColumns & { name: string; max: number }
type TextRow = [id: bigint, text: string | null]

function textColumnsOf({ name: table, columns }: Table): TextColumn[] {
  return Object.entries(columns).flatMap(([name, { codePointsMax: max }]) =>
    max === undefined ? [] : [{ table, columns: ['id', name], name, max }],
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

/** Invalid UTF-8 is read as U+FFFD, which few valid names contain: then the stored bytes differ from the text that was read. */
async function findMisreading(
  sql: Sql,
  { table, name }: TextColumn,
  id: bigint,
  text: string,
): Promise<string | undefined> {
  if (!text.includes('\ufffd')) return undefined
  const rows = await sql.all(`select 1 from ${table} where id = ?1 and ${name} <> ?2`, [id, text])
  return rows.length === 0 ? undefined : 'is not valid UTF-8'
}
