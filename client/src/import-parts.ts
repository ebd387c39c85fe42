import {
  importBytesMax,
  importChangesMax,
  importRowsMax,
} from '../../src/contract/import-limits.ts'
import { plainName } from '../../src/contract/sheets.ts'
import {
  createSplitter,
  formatOf,
  type RowText,
  type SheetFormat,
  type Splitter,
} from '../../src/contract/split-records.ts'
import { PetstoreConfigurationError } from './errors.ts'
import type { ImportPetsQuery } from './generated/records.ts'
import type { FileBody } from './operation.ts'

/** A part of a file, as one request takes it. */
export type Part = {
  body: Uint8Array<ArrayBuffer>
  type: string
  rows: number
  /** The line of the file that a line of the part is. */
  lineOf(line: number): number
}

/** Cuts a file into parts. One that a request takes whole stays as it is. Throws `PetstoreConfigurationError`. */
export async function cutFile(
  file: FileBody,
  type: string | undefined,
  query: ImportPetsQuery,
): Promise<Part[]> {
  const body = new Uint8Array(await new Response(file).arrayBuffer())
  const text = textOf(body)
  const format = formatOf(mediaTypeOf(file, type), text)
  const splitter = createSplitter(format)
  const rows = [...splitter.push(text), ...splitter.end()]
  const groups = groupRows(splitter, rows, changeFinder(format, splitter, query))
  const isWhole = groups.length < 2 && body.length <= importBytesMax
  if (!isWhole && rows.length > 0) return groups.map((group) => partOf(format, splitter, group))
  return [{ body, type: mediaTypes[format], rows: rows.length, lineOf: (line) => line }]
}

const mediaTypes: Record<SheetFormat, string> = {
  csv: 'text/csv',
  array: 'application/json',
  lines: 'application/x-ndjson',
}

const endings: Record<string, string> = {
  csv: 'csv',
  json: 'array',
  jsonl: 'lines',
  ndjson: 'lines',
}

/** What a file is said to be, where that is known, or what its name says: some systems have types of their own for CSV. */
function mediaTypeOf(file: FileBody, type: string | undefined): string | undefined {
  const { type: ofFile, name = '' } = Object(file) as { type?: string; name?: string }
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  const known = [type, ofFile].find((one) => Object.values(mediaTypes).includes(String(one)))
  return known ?? mediaTypes[endings[ending] as SheetFormat]
}

/** The text with its byte order mark. What is not UTF-8 goes to the service, which names the line, where it takes so much. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    if (bytes.length <= importBytesMax) return ''
    throw new PetstoreConfigurationError(
      'The file is not UTF-8: save the spreadsheet as CSV in UTF-8. Nothing was sent.',
    )
  }
}

/** Tells whether a row may change a pet: it has a value for `id`. */
function changeFinder(
  format: SheetFormat,
  splitter: Splitter,
  { ignoreIds, columns = '' }: ImportPetsQuery,
): (row: RowText) => boolean {
  if (ignoreIds) return () => false
  if (/:\s*id\s*(?:,|$)/.test(columns)) return () => true
  if (format !== 'csv') return ({ text }) => /"id"\s*:/i.test(text)
  const at = splitter.columns().findIndex((column) => plainName(column) === 'id')
  return ({ cells }) => at !== -1 && cells?.[at]?.trim() !== ''
}

/** The rows of each part. */
function groupRows(
  splitter: Splitter,
  rows: readonly RowText[],
  isChange: (row: RowText) => boolean,
): RowText[][] {
  const groups: RowText[][] = []
  // In JSON, brackets are around the rows.
  const headBytes = bytesOf(splitter.head()).length + 2
  let [changes, sizeBytes] = [0, 0]
  let group: RowText[] = []
  for (const row of rows) {
    // In JSON, a comma is before the line break.
    const rowBytes = bytesOf(row.text).length + 2
    const added = isChange(row) ? 1 : 0
    const isFull =
      group.length === importRowsMax ||
      changes + added > importChangesMax ||
      sizeBytes + rowBytes > importBytesMax
    if (group.length === 0 || isFull) {
      group = []
      groups.push(group)
      changes = 0
      sizeBytes = headBytes
    }
    group.push(row)
    changes += added
    sizeBytes += rowBytes
  }
  return groups
}

function partOf(format: SheetFormat, splitter: Splitter, rows: readonly RowText[]): Part {
  const lines = new Map<number, number>()
  let next = 1 + breaksIn(splitter.head())
  for (const { line, text } of rows) {
    lines.set(next, line)
    next += 1 + breaksIn(text)
  }
  return {
    body: bytesOf(splitter.join(rows.map(({ text }) => text))),
    type: mediaTypes[format],
    rows: rows.length,
    lineOf: (line) => lines.get(line) ?? line,
  }
}

const bytesOf = (text: string) => new TextEncoder().encode(text)

const breaksIn = (text: string) => text.split(/\r\n|\r|\n/).length - 1

/** 64 bits that follow from bytes. `crypto.subtle` is missing on pages that are not served with HTTPS. */
export function digestOf(bytes: Uint8Array): string {
  let [one, other] = [0x811c9dc5, 0x9e3779b9]
  for (const byte of bytes) {
    one = Math.imul(one ^ byte, 0x01000193)
    other = Math.imul(other ^ (other >>> 15) ^ byte, 0x85ebca6b)
  }
  return [one, other].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
}
