import type { Sql } from '../db.ts'
import { rowsOf } from '../lists/steps.ts'
import { type Check, defineCheck, findingOf, type Table } from '../storage.ts'

/** Checks the texts of clients against the rules of the interface. */
export function textsCheck(tables: readonly Table[]): Check {
  const columns = tables.flatMap(({ name: table, texts = {}, lines = {} }) =>
    Object.entries({ ...texts, ...lines }).map(([name, max]) => ({
      ...{ table, name, max, columns: ['id', name], hasLines: name in lines },
    })),
  )
  return defineCheck({
    name: 'texts',
    promise: 'names, descriptions and references are texts that the interface allows',
    async *find(sql, checkTime) {
      for (const column of columns) {
        const { table, name, max, hasLines } = column
        for await (const rows of rowsOf<[bigint, string | null]>(sql, column, checkTime)) {
          for (const [id, text] of rows) {
            if (text === null) continue
            const plain = hasLines ? text.replace(/[\t\n\r]/g, ' ') : text
            const fault =
              faultOf(plain, max) ?? (await findMisreading(sql, table, name, [id, text]))
            if (fault !== undefined)
              yield findingOf(table, id, `The ${name} of row ${id} of ${table} ${fault}.`)
          }
        }
      }
    },
  })
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
  table: string,
  name: string,
  row: [id: bigint, text: string],
): Promise<string | undefined> {
  if (!row[1].includes('\ufffd')) return undefined
  const rows = await sql.all(`select 1 from ${table} where id = ?1 and ${name} <> ?2`, row)
  return rows.length === 0 ? undefined : 'is not valid UTF-8'
}
