import { parseJson } from '../../contract/int64-json.ts'
import { defuse, listSeparator, plainName, quoteCell } from '../../contract/sheets.ts'
import { closingQuote, type Sheet } from '../../contract/split-records.ts'
import { type ColumnMatcher, errorColumn } from './match-columns.ts'

type Chosen = readonly (readonly [index: number, error: string])[]

/** Rows of CSV as they came, with what is wrong with each in front; in place of what was wrong before. */
export function writeCells({ rows, columns, head, delimiter }: Sheet, chosen: Chosen): string {
  const isMarked = plainName(columns[0] ?? '') === errorColumn
  const lineOf = (error: string, text: string) => {
    const own = isMarked ? withoutFirstCell(text, delimiter) : text
    return `${quoteCell(defuse(error))}${delimiter}${own}\r\n`
  }
  return [
    ...head.slice(0, -1).map((separator) => `${separator}\n`),
    lineOf(errorColumn, head.at(-1) ?? ''),
    ...chosen.map(([index, error]) => lineOf(error, rows[index]?.text ?? '')),
  ].join('')
}

function withoutFirstCell(text: string, delimiter: string): string {
  const end = text.startsWith('"') ? closingQuote(text, 0) + 1 : text.indexOf(delimiter)
  return text[end] === delimiter ? text.slice(end + 1) : text
}

/** Objects as rows of CSV, with a column for each member that a record has. What is no such object is the first cell. */
export function writeObjects({ rows }: Sheet, chosen: Chosen, { members, match }: ColumnMatcher) {
  const lines = chosen.map(([index, error]) => {
    const text = rows[index]?.text ?? ''
    const cells = cellsIn(text, match)
    return [error, ...(cells ? members.map((member) => cells.get(member) ?? '') : [text])]
  })
  const lineOf = (cells: readonly string[]) =>
    `${cells.map((cell) => quoteCell(defuse(cell))).join(',')}\r\n`
  return [[errorColumn, ...members], ...lines].map(lineOf).join('')
}

function cellsIn(text: string, match: ColumnMatcher['match']): Map<string, string> | undefined {
  try {
    const value = parseJson(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return new Map(
      Object.entries(value).flatMap(([name, value]) => {
        const member = match(name)
        return member === undefined ? [] : [[member, cellOf(value)]]
      }),
    )
  } catch {
    return undefined
  }
}

function cellOf(value: unknown): string {
  if (typeof value !== 'object') return String(value ?? '')
  if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
    return value.join(listSeparator)
  const digits = (_: string, member: unknown) =>
    typeof member === 'bigint' ? String(member) : member
  return value === null ? '' : JSON.stringify(value, digits)
}
