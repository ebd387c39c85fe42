import { plainName } from '../../../../src/contract/sheets.ts'
import { createSplitter, formatOf } from '../../../../src/contract/split-records.ts'

/** The members of a pet that a column can be. */
export const members = ['id', 'name', 'category', 'categoryId', 'status'] as const
export type Member = (typeof members)[number]

/** The first rows of a file, as far as a person needs them to see which column is what. */
export type Preview = {
  type: 'text/csv' | 'application/x-ndjson' | 'application/json'
  columns: readonly string[]
  rows: readonly (readonly string[])[]
}

const readBytes = 64 * 1_024
const shownRows = 5

/** Reads the first rows. What is wrong with a file is for the service to say. */
export async function readPreview(file: File): Promise<Preview> {
  const text = await file.slice(0, readBytes).text()
  const format = formatOf(undefined, text)
  const splitter = createSplitter(format)
  const first = splitter.push(text)
  const rows = (file.size > readBytes ? first : [...first, ...splitter.end()]).slice(0, shownRows)
  if (format === 'csv') {
    const cells = rows.map((row) => row.cells ?? [])
    return { type: 'text/csv', columns: splitter.columns(), rows: cells }
  }
  const records = rows.map((row) => parseRow(row.text)).filter((record) => record !== undefined)
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))]
  const type = format === 'array' ? 'application/json' : 'application/x-ndjson'
  return {
    type,
    columns,
    rows: records.map((record) => columns.map((name) => String(record[name] ?? ''))),
  }
}

function parseRow(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** The member that the service takes a column for. */
export function memberOf(column: string): Member | undefined {
  return members.find((member) => plainName(member) === plainName(column))
}

/** The parameter `columns` for what was chosen by hand. */
export function columnsParameter(
  columns: readonly string[],
  matched: readonly (Member | undefined)[],
): string | undefined {
  const pairs = columns.flatMap((column, index) => {
    const member = matched[index]
    return member === memberOf(column) ? [] : [`${column}:${member ?? ''}`]
  })
  return pairs.length === 0 ? undefined : pairs.join(',')
}
