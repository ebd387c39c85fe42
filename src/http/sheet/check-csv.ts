import type { SheetRow } from '../../contract/content.ts'
import { shortened } from '../../contract/problem.ts'
import { restore } from '../../contract/sheets.ts'
import type * as Type from '../../contract/type.ts'
import { aboutBody, describeParameter, type Failure } from '../request/describe-failure.ts'
import { readerOf } from '../request/parameters.ts'
import type { RowCheck } from './compile-row.ts'
import { fileProblem } from './file-problem.ts'
import type { ColumnMatcher } from './match-columns.ts'
import { type CsvRecord, readCsv } from './read-csv.ts'

/** How the problems of a row of cells are told. */
export const aboutCells = { ...aboutBody, describe: describeCell }

/** The checked rows of a CSV file. */
export async function* checkCsv(
  slices: AsyncIterable<Buffer>,
  matcher: ColumnMatcher,
  row: RowCheck,
): AsyncGenerator<SheetRow[]> {
  let columns: Columns | undefined
  for await (const records of readCsv(slices)) {
    const [first, ...others] = records
    if (!first) continue
    const isHeader = columns === undefined
    columns ??= matchHeader(first.cells, matcher, row)
    const known = columns
    const rows = isHeader ? others : records
    yield rows.map(
      (record) =>
        findSurplus(record, known) ?? row.check(record.line, readCells(record, known), known.names),
    )
  }
}

/** How many columns there are, which of them have members, and by member the name of its column in the file. */
type Columns = {
  count: number
  matched: readonly { at: number; member: string; read(cell: string): unknown }[]
  names: ReadonlyMap<string, string>
}

function matchHeader(
  cells: readonly string[],
  matcher: ColumnMatcher,
  { required, key, members, properties }: RowCheck,
): Columns {
  const names = new Map<string, string>()
  const matched = cells.flatMap((cell, at) => {
    const member = matcher.match(cell)
    const other = member && names.get(member)
    if (other !== undefined) {
      const both = `${JSON.stringify(shortened(other))} and ${JSON.stringify(shortened(cell))}`
      throw fileProblem(
        1,
        `has two columns for ${member}, ${both}: remove one, or name it in columns`,
      )
    }
    if (member === undefined) return []
    names.set(member, cell)
    return { at, member, read: readerOfCell(properties[member]) }
  })
  const missing = required.filter((name) => !names.has(name))
  if (missing.length > 0 && !names.has(key)) {
    const near = matcher.ignored().find(({ nearest }) => nearest && missing.includes(nearest))
    const advice = near ? `. Is it ${JSON.stringify(near.column)}` : ''
    throw fileProblem(
      1,
      `has no column for ${missing.join(' and ')}, which ?columns=COLUMN:MEMBER can name; ${members.join(', ')} are known by their names${advice}`,
    )
  }
  return { count: cells.length, matched, names }
}

/** The problem of a row with more cells than there are columns; empty ones do not count. */
function findSurplus({ line, cells }: CsvRecord, { count }: Columns): SheetRow | undefined {
  if (cells.slice(count).every((cell) => cell === '')) return undefined
  const detail = `has ${cells.length} cells, more than the ${count} columns of the first line`
  return { line, problems: [{ line, code: 'invalid_body', detail }] }
}

/** The values of a row by members; an empty cell has none. */
function readCells({ cells }: CsvRecord, { matched }: Columns): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const { at, member, read } of matched) {
    const cell = cells[at] ?? ''
    if (cell !== '') values[member] = read(cell)
  }
  return values
}

/** Converts cells to the type of their member. */
function readerOfCell(schema: Type.TSchema = {}): (cell: string) => unknown {
  const read = readerOf(schema)
  const isText = (schema as { minLength?: number }).minLength !== undefined
  return (cell) => read([isText ? restore(cell) : cell.trim()])
}

function describeCell(failure: Failure): string {
  const { keyword, schema, data } = failure
  if (keyword === 'required') return 'is missing'
  if (schema.int64 && typeof data === 'string' && isRounded.test(data)) {
    return `must have all its digits; received ${JSON.stringify(data)}, which a spreadsheet has rounded: format the column as text, and enter the number again`
  }
  return describeParameter(failure)
}

/** A number in scientific notation. */
const isRounded = /^[+-]?\d{1,20}(?:[.,]\d{0,20})?[eE]\+?\d{1,3}$/
