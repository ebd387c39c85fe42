import { csvOptions, plainName } from '../../../../src/contract/sheets.ts'

/** The members of a pet that a column can be. */
export const members = ['id', 'name', 'categoryId', 'status'] as const
export type Member = (typeof members)[number]

/** The first rows of a file, as far as a person needs them to see which column is what. */
export type Preview = {
  type: 'text/csv' | 'application/x-ndjson'
  columns: readonly string[]
  rows: readonly (readonly string[])[]
}

const readBytes = 64 * 1_024
const shownRows = 5

/** Reads the first rows. What is wrong with a file is for the service to say. */
export async function readPreview(file: File): Promise<Preview> {
  const text = (await file.slice(0, readBytes).text()).replace(/^\uFEFF/, '')
  if (!/\.(ndjson|jsonl)$/i.test(file.name)) {
    const [columns = [], ...rows] = await cellsOf(text, shownRows + 1)
    return { type: 'text/csv', columns, rows }
  }
  const records = text
    .split('\n', shownRows)
    .map(parseLine)
    .filter((record) => record !== undefined)
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))]
  const rows = records.map((record) => columns.map((name) => String(record[name] ?? '')))
  return { type: 'application/x-ndjson', columns, rows }
}

function parseLine(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** The cells of the first rows, read as the service reads them; none of a file that it refuses. */
async function cellsOf(text: string, rowsMax: number): Promise<string[][]> {
  const { parse } = await import('csv-parse/browser/esm/sync')
  try {
    return parse(text, { ...csvOptions(text), to: rowsMax })
  } catch {
    return []
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
