import {
  importBytesMax,
  importChangesMax,
  importRowsMax,
} from '../../src/contract/import-limits.ts'
import { plainName } from '../../src/contract/sheets.ts'
import { type RowText, type Sheet, splitRecords } from '../../src/contract/split-records.ts'
import { PetstoreConfigurationError } from './errors.ts'
import type { ImportPetsQuery } from './generated/records.ts'
import type { FileBody } from './operation.ts'

/** A part of a file, as one request takes it. A line of the part is one of the file, so many lines further down. */
export type Part = {
  body: Uint8Array<ArrayBuffer>
  type: string
  rows: number
  linesAbove: number
}

/** The most characters of a part: none takes more than three bytes. */
const charactersMax = Math.floor(importBytesMax / 3)

/** Cuts a file into parts. One that a request takes whole stays as it is. Throws `PetstoreConfigurationError`. */
export async function cutFile(file: FileBody, query: ImportPetsQuery): Promise<Part[]> {
  const body = new Uint8Array(await new Response(file).arrayBuffer())
  const text = textOf(body)
  const sheet = splitRecords(text)
  const { type, rows, head } = sheet
  const rowsMax = mayChangePets(text, sheet, query) ? importChangesMax : importRowsMax
  const groups: [first: RowText, ...RowText[]][] = []
  for (const row of rows) {
    const group = groups.at(-1)
    const length = row.at + row.text.length - (group?.[0].at ?? 0)
    if (group && group.length < rowsMax && length < charactersMax) group.push(row)
    else groups.push([row])
  }
  const isWhole = rows.length <= rowsMax && body.length <= importBytesMax
  if (isWhole || rows.length === 0) return [{ body, type, rows: rows.length, linesAbove: 0 }]
  const start = type === 'application/json' ? '[' : head.map((line) => `${line}\n`).join('')
  const end = type === 'application/json' ? ']' : '\n'
  return groups.map(([first, ...others]) => {
    const last = others.at(-1) ?? first
    const between = text.slice(first.at, last.at + last.text.length)
    return {
      body: new TextEncoder().encode(`${start}${between}${end}`),
      type,
      rows: 1 + others.length,
      linesAbove: first.line - start.split(/\r\n|\r|\n/).length,
    }
  })
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

/** Whether rows may have an `id`: then they may change pets, of which a request takes fewer. */
function mayChangePets(text: string, sheet: Sheet, { ignoreIds, columns = '' }: ImportPetsQuery) {
  if (ignoreIds) return false
  if (sheet.type !== 'text/csv') return /"id"\s*:/i.test(text)
  return /:\s*id\s*(?:,|$)/.test(columns) || sheet.columns.some((one) => plainName(one) === 'id')
}

/** 64 bits that follow from bytes. `crypto.subtle` is missing on pages that are not served with HTTPS. */
export function digestOf(bytes: Uint8Array): string {
  let [one, other] = [0x811c9dc5, 0x9e3779b9]
  for (const byte of bytes) {
    one = Math.imul(one ^ byte, 0x01000193)
    other = Math.imul(other ^ (other >>> 15) ^ byte, 0x85ebca6b)
  }
  return [one, other].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
}
