import { parseJson } from '../../contract/int64-json.ts'
import { defuse, plainName, quoteCell } from '../../contract/sheets.ts'
import { closingQuote, type RowText, type Splitter } from '../../contract/split-records.ts'
import { errorColumn } from './match-columns.ts'

type Chosen = readonly (readonly [index: number, error: string])[]

/** Rows of CSV as they came, with what is wrong with each in front; in place of what was wrong before. */
export function writeCells(splitter: Splitter, rows: readonly RowText[], chosen: Chosen): string {
  const delimiter = splitter.delimiter()
  const [first = ''] = splitter.columns()
  const isMarked = plainName(first) === errorColumn
  const lineOf = (error: string, text: string) => {
    const own = isMarked ? withoutFirstCell(text, delimiter) : text
    return `${quoteCell(defuse(error))}${delimiter}${own}\r\n`
  }
  const [, separator = '', header = ''] = /^(sep=.\n)?(.*)\n$/is.exec(splitter.head()) ?? []
  return [
    separator,
    lineOf(errorColumn, header),
    ...chosen.map(([index, error]) => lineOf(error, rows[index]?.text ?? '')),
  ].join('')
}

function withoutFirstCell(text: string, delimiter: string): string {
  const end = text.startsWith('"') ? closingQuote(text, 0) + 1 : text.indexOf(delimiter)
  return text[end] === delimiter ? text.slice(end + 1) : text
}

/** Rows times columns: objects of ever new members would take the square of their bytes. */
const columnsMax = 1_000

/**
 * Objects as rows of CSV: a column for each member, in order of first appearance. What is no object, is nested too deeply,
 * or has too many members that others have not, is the first cell.
 */
export function writeObjects(rows: readonly RowText[], chosen: Chosen): string {
  const columns = new Set<string>()
  const objects = chosen.map(([index]) => {
    const cells = cellsIn(rows[index]?.text ?? '')
    const added = [...(cells?.keys() ?? [])].filter((name) => !columns.has(name))
    if (columns.size + added.length > columnsMax) return undefined
    for (const name of added) columns.add(name)
    return cells
  })
  const lineOf = (cells: readonly string[]) =>
    `${cells.map((cell) => quoteCell(defuse(cell))).join(',')}\r\n`
  const lines = chosen.map(([index, error], at) => {
    const object = objects[at]
    const text = rows[index]?.text ?? ''
    return lineOf([
      error,
      ...(object ? [...columns].map((name) => object.get(name) ?? '') : [text]),
    ])
  })
  return [lineOf([errorColumn, ...columns]), ...lines].join('')
}

function cellsIn(text: string): Map<string, string> | undefined {
  try {
    const value = parseJson(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const members = Object.entries(value).filter(([name]) => name !== errorColumn)
    return new Map(members.map(([name, member]) => [name, cellOf(member)]))
  } catch {
    return undefined
  }
}

function cellOf(value: unknown): string {
  if (typeof value !== 'object') return String(value ?? '')
  const digits = (_: string, member: unknown) =>
    typeof member === 'bigint' ? String(member) : member
  return value === null ? '' : JSON.stringify(value, digits)
}
