import { systemClock } from '../../context/context.ts'
import { stringifyJson } from '../../contract/int64-json.ts'
import { printable } from '../../telemetry/escape.ts'
import type { ColumnType } from './table.ts'

export type Row = Readonly<Record<string, unknown>>

export type Column = { name: string; type: ColumnType }

/** Of a terminal; elsewhere undefined: nothing is cut or left out there, and times are absolute. */
type Width = number | undefined

const gap = '  '
/** Texts are cut to this many columns at least. */
const textWidthMin = 8

/** Makes the lines of a table, whose columns fit these records: of names by default, else of a record. */
export function layOut(columns: readonly Column[], rows: readonly Row[], width: Width) {
  const layout = columns.map((column) => {
    const cells = rows.map((row) => widthOf(cellOf(row, column, width)))
    const whole = Math.max(column.name.length, ...cells)
    const isText = column.type === 'text' || column.type === 'nested'
    const least = isText ? Math.min(whole, textWidthMin) : whole
    return { column, width: whole, least, isEmpty: cells.every((cell) => cell === 0) }
  })
  if (width !== undefined) fit(layout, width)
  return (row?: Row) => {
    const cells = layout.map(({ column, width: own }) => {
      const text = row === undefined ? column.name : cellOf(row, column, width)
      return padded(width === undefined ? text : cut(text, own), own)
    })
    return cells.join(gap).trimEnd()
  }
}

/** A record as lines of a name and a value. */
export function recordLines(
  row: Row,
  columns: readonly Column[],
  { width, bold }: { width: Width; bold(text: string): string },
): string {
  const given = columns.filter(({ name }) => row[name] !== undefined && row[name] !== null)
  const nameWidth = Math.max(...given.map(({ name }) => name.length))
  const lines = given.flatMap((column) =>
    linesOf(row, column, width).map((line, index) => {
      const name = padded(index === 0 ? column.name : '', nameWidth)
      return `${bold(name)}${gap}${line}\n`
    }),
  )
  return lines.join('')
}

/** A value on its line; records as a table. */
function linesOf(row: Row, column: Column, width: Width): string[] {
  const value = row[column.name]
  const isTable =
    Array.isArray(value) && value.length > 0 && value.every((one) => Object(one) === one)
  if (!isTable) return [cellOf(row, column, width)]
  const names = new Set(value.flatMap((one) => Object.keys(one)))
  const columns = [...names].map((name) => ({ name, type: 'text' }) as const)
  const lineOf = layOut(columns, value, undefined)
  return [lineOf(), ...value.map(lineOf)]
}

type Fitted = { column: Column; width: number; least: number; isEmpty: boolean }

/** Leaves out columns, first empty ones, then nested ones, then on the right, and cuts texts. Numbers and times are whole. */
function fit(layout: Fitted[], widthMax: number) {
  const total = (of: 'width' | 'least') =>
    layout.reduce((sum, one) => sum + one[of], gap.length * (layout.length - 1))
  while (layout.length > 1 && total('least') > widthMax) {
    const empty = layout.findLastIndex(({ isEmpty }) => isEmpty)
    const nested = layout.findLastIndex(({ column }) => column.type === 'nested')
    layout.splice([empty, nested].find((index) => index > 0) ?? layout.length - 1, 1)
  }
  while (total('width') > widthMax) {
    const widest = layout.reduce((a, b) => (b.width - b.least > a.width - a.least ? b : a))
    if (widest.width === widest.least) break
    widest.width -= 1
  }
}

/** A value as text, with every digit of an integer. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value) && value.every((one) => Object(one) !== one)) return value.join(', ')
  return typeof value === 'object' ? stringifyJson(value) : String(value)
}

/** A member of a record, with escapes in place of characters that control a terminal. */
function cellOf(row: Row, { name, type }: Column, width: Width): string {
  const value = row[name]
  const isRelative = type === 'instant' && width !== undefined && typeof value === 'string'
  return printable(isRelative ? relativeTo(systemClock(), value) : textOf(value))
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const
const relativeMaxMs = 30 * 86_400_000

/** Such as `3 min ago` or `in 2 h`; the date where that is more than a month away. */
function relativeTo(nowMs: number, instant: string): string {
  const awayMs = Date.parse(instant) - nowMs
  const lengthMs = Math.abs(awayMs)
  if (!(lengthMs < relativeMaxMs)) return instant.slice(0, 10)
  const [unit, unitMs] = units.find(([, ms]) => lengthMs >= ms) ?? ['s', 1_000]
  const text = `${Math.floor(lengthMs / unitMs)} ${unit}`
  return awayMs > 0 ? `in ${text}` : `${text} ago`
}

const narrow = /^[ -~]*$/
const combining = /[\p{Mn}\p{Me}\u200b-\u200d]/u
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1faff}\u{20000}-\u{3fffd}]/u

/** How many columns of a terminal a text takes. */
function widthOf(text: string): number {
  return narrow.test(text) ? text.length : [...text].reduce((sum, one) => sum + widthOfOne(one), 0)
}

function widthOfOne(character: string): number {
  if (combining.test(character)) return 0
  return wide.test(character) ? 2 : 1
}

function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  let left = width - 1
  for (const character of text) {
    left -= widthOfOne(character)
    if (left < 0) break
    kept += character
  }
  return `${kept}…`
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}
