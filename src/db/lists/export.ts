import { createHash } from 'node:crypto'
import type { Row, Scan, Sql } from '../db.ts'
import { append, requireOpen, type SpoolFile } from '../spool/append.ts'
import { splitConditions, withoutIndex } from './condition.ts'
import type { List } from './page.ts'
import { endOfStep } from './search.ts'
import { selectPage } from './select-page.ts'
import { hasWords } from './word-search.ts'

/** How the records of a list are written: what comes first, and a line for each. */
type Format<Item> = { head: string; lineOf(item: Item): string }

/** What to export, in which of the formats, to which file. */
export type ExportInput<Filter> = {
  filter: Filter
  sort: 'id' | '-id'
  format: string
  file: SpoolFile
}

/** Few enough rows for the serving thread, which reads them from PostgreSQL. */
const pageSize = 500

/** A scan that writes all matches to a file, of one snapshot; returns a digest of the bytes. Throws `Unavailable`. */
export function exportOf<Filter, Item>(
  name: string,
  list: List<Filter, Item>,
  formats: Readonly<Record<string, Format<Item>>>,
): Scan<ExportInput<Filter>, string> {
  return {
    name: `${name}Export`,
    isSnapshot: true,
    async run(sql, { filter, sort, format, file }, checkTime) {
      const { head, lineOf } = formats[format] as Format<Item>
      const digest = createHash('sha256')
      const add = async (text: string) => {
        const bytes = Buffer.from(text)
        digest.update(bytes)
        await append(file, bytes)
      }
      await add(head)
      for await (const rows of pagesOf(sql, list, { filter, sort })) {
        checkTime()
        requireOpen(file)
        await add(rows.map((row) => lineOf(list.itemOf(row))).join(''))
      }
      return digest.digest('hex').slice(0, 32)
    },
  }
}

/** The matches in order of ids, a page at a time. No index has those of a search in this order: all records are visited. */
async function* pagesOf<Filter>(
  sql: Sql,
  list: List<Filter, unknown>,
  { filter, sort }: { filter: Filter; sort: 'id' | '-id' },
): AsyncGenerator<Row[]> {
  const { words, range, others } = splitConditions(list.conditionsOf(filter))
  const conditions = range ? [...withoutIndex([range]), ...others] : others
  const { table, columns } = list
  const read = { table, columns: words ? `${columns}, ${words.column}` : columns }
  const { idOf = ([id]: Row) => id as bigint } = list
  const page = { limit: pageSize - 1, sort }
  for (let after: bigint | undefined; ; ) {
    const end = range && (await endOfStep(sql, list, others, { ...page, after }, pageSize))
    const rows = await selectPage(sql, read, conditions, { ...page, after, end })
    yield words ? rows.filter((row) => hasWords(String(row.at(-1)), words)) : rows
    const last = rows.at(-1)
    after = end ?? (last && rows.length === pageSize ? idOf(last) : undefined)
    if (after === undefined) return
  }
}
