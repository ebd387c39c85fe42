import type { Matching, ReceivedBytes, ReceivedSheet, SheetRow } from '../../contract/content.ts'
import { importChangesMax, importRowsMax } from '../../contract/import-limits.ts'
import { parseJson } from '../../contract/int64-json.ts'
import { bodySizeMaxBytes } from '../../contract/operation.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { type RowText, splitRecords } from '../../contract/split-records.ts'
import { locateJsonError } from '../request/locate-json-error.ts'
import { compileRow, type RowCheck, type RowSchemas, type RowValues } from './check-row.ts'
import { type ColumnMatcher, type Columns, createMatcher, matchHeader } from './match-columns.ts'
import { fileProblem, readText } from './read-text.ts'
import { writeCells, writeObjects } from './write-rows.ts'

/** A row may be as long as the body of a request for it alone. */
const rowLengthMax = bodySizeMaxBytes
/** In longer rows no place is searched for: all rows of a file may be broken. */
const searchedRowMax = 256
const isTooLong = `is longer than ${rowLengthMax} characters, the maximum`

/** Compiles the reading of files of rows. Reading throws `invalid_body`, `invalid_parameter`, `body_too_large`. */
export function compileSheet(schemas: RowSchemas) {
  const ofCells = compileRow(schemas, true)
  const ofJson = compileRow(schemas, false)

  return ({ mediaType, bytes }: ReceivedBytes, matching: Matching): ReceivedSheet => {
    const text = readText(bytes)
    const sheet = splitRecords(text, mediaType, importRowsMax)
    const { type, rows, columns: header, head } = sheet
    const isCsv = type === 'text/csv'
    const rowCheck = isCsv ? ofCells : ofJson
    const matcher = createMatcher(rowCheck.members, matching)
    if (head.join('').length > rowLengthMax) throw fileProblem(`has a header that ${isTooLong}`)
    const columns = header.length > 0 ? matchHeader(header, matcher, rowCheck) : undefined
    if (rows.length === 0) throw new ServiceError('invalid_body', 'The file has no rows.')
    requireAtMost(importRowsMax, rows.length, 'rows')
    const read = rows.map((row) => {
      if (row.text.length > rowLengthMax) return refuse(row.line, isTooLong)
      if (columns) return readCells(row, header, columns, rowCheck)
      return readObject(row, matcher, rowCheck)
    })
    const changes = read.filter((row) => 'values' in row && rowCheck.key in row.values)
    requireAtMost(importChangesMax, changes.length, 'rows that change a record')
    return {
      rows: read.map((row) => ('values' in row ? rowCheck.check(row, matching.defaults) : row)),
      ignored: matcher.ignored(),
      write: (rows) => (isCsv ? writeCells(sheet, rows) : writeObjects(sheet, rows, matcher)),
    }
  }
}

function requireAtMost(max: number, count: number, what: string) {
  if (count <= max) return
  const message = `The file has more than ${max} ${what}, the maximum. Send it in parts.`
  throw new ServiceError('body_too_large', message)
}

type Read = RowValues | Extract<SheetRow, { problems: unknown }>

function refuse(line: number, detail: string, code = 'invalid_body'): Read {
  return { line, problems: [{ line, code, detail }] }
}

/** An empty cell has no value. */
function readCells(
  { line, cells }: RowText,
  { length }: readonly string[],
  { matched, names }: Columns,
  { reader }: RowCheck,
): Read {
  if (!cells) {
    const advice = 'Put a cell with quotes in quotes, and double those that it has'
    return refuse(line, `has a quote inside of a cell, or one that never closes. ${advice}`)
  }
  if (cells.slice(length).some((cell) => cell !== ''))
    return refuse(line, `has ${cells.length} cells, more than the ${length} columns of the header`)
  const values: Record<string, unknown> = {}
  for (const { at, member } of matched) {
    const cell = cells[at] ?? ''
    if (cell.trim() !== '') values[member] = reader(member)(cell)
  }
  return { line, values, names }
}

/** A member that is null has no value. */
function readObject({ line, text }: RowText, matcher: ColumnMatcher, { reader }: RowCheck): Read {
  let object: unknown
  try {
    object = parseJson(text)
  } catch {
    return refuse(line, `is not JSON: ${locateJsonError(text, searchedRowMax)}`, 'invalid_json')
  }
  if (typeof object !== 'object' || object === null || Array.isArray(object))
    return refuse(line, 'must be a JSON object')
  const values: Record<string, unknown> = {}
  const names = new Map<string, string>()
  for (const [name, value] of Object.entries(object)) {
    const member = matcher.match(name)
    if (member === undefined) continue
    if (names.has(member)) return refuse(line, `has two members for ${member}`)
    names.set(member, name)
    if (value !== null) values[member] = reader(member)(value)
  }
  return { line, values, names }
}
