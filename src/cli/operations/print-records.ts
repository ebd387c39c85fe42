import { styleText } from 'node:util'
import { usageError } from '../../config/exit-error.ts'
import { stringifyJson } from '../../contract/int64-json.ts'
import { defuse, quoteCell } from '../../contract/sheets.ts'
import { didYouMean } from '../../nearest-name.ts'
import { escapeUnsafe, printable } from '../../telemetry/escape.ts'
import { tell } from '../text/print.ts'
import { type Column, layOut, type Row, recordLines, textOf } from './lay-out.ts'
import type { Flags } from './read-request.ts'
import type { TableEntry } from './table.ts'

export type Printer = ReturnType<typeof createPrinter>

/** How records become text. */
type Format = {
  /** What stands before the first records, or in place of any. */
  head?(first: readonly Row[]): string
  line(row: Row): string
  between?: string
  tail?: string
}

const formats = ['json', 'ndjson', 'csv', 'quiet'] as const

/**
 * Prints records in the format that the options ask for: a table by default. Its functions resolve with whether somebody still
 * reads. Throws `usage`.
 */
export function createPrinter(entry: Pick<TableEntry, 'kind' | 'columns'>, flags: Flags) {
  const { head = () => '', line, between = '', tail = '' } = formatOf(entry, flags)
  let isFirst = true
  return {
    rows(rows: readonly Row[]): Promise<boolean> {
      const before = isFirst ? head(rows) : between
      if (rows.length === 0) return Promise.resolve(true)
      isFirst = false
      return write(before + rows.map(line).join(between))
    },
    /** Completes what `rows` has printed. */
    end: () => write((isFirst ? head([]) : '') + tail),
  }
}

/** Resolves with whether the text was taken. An error other than a reader that has gone ends the process. */
export function write(text: string | Uint8Array): Promise<boolean> {
  return new Promise((resolve) => {
    process.stdout.write(text, (error) => resolve(!error))
  })
}

function formatOf(
  { kind, columns: known }: Pick<TableEntry, 'kind' | 'columns'>,
  flags: Flags,
): Format {
  const [format = 'table', other] = formats.filter((name) => flags[name])
  if (other !== undefined) throw usageError(`--${format} and --${other} exclude each other.`)
  const columns = chosenColumns(known, flags.columns as string | undefined)
  const json = (row: Row) => escapeUnsafe(stringifyJson(flags.columns ? pick(row, columns) : row))
  switch (format) {
    case 'json':
      if (kind === 'list') return { head: () => '[', line: json, between: ',\n', tail: ']\n' }
      return { line: (row) => `${json(row)}\n` }
    case 'ndjson':
      return { line: (row) => `${json(row)}\n` }
    case 'csv':
      return csvOf(columns)
    case 'quiet': {
      const { name = '' } =
        (!flags.columns && columns.find((one) => one.name === 'id')) || columns[0] || {}
      return { line: (row) => `${printable(textOf(row[name]))}\n` }
    }
    case 'table':
      return tableOf(kind, columns)
  }
}

function chosenColumns(known: TableEntry['columns'], names: string | undefined): Column[] {
  const shown = Object.keys(known).filter((name) => known[name] !== 'tag')
  return (names?.split(',') ?? shown).map((given) => {
    const name = given.trim()
    const type = known[name]
    if (type !== undefined) return { name, type }
    const otherwise = `; there are ${shown.join(', ')}.`
    const end = didYouMean(name, Object.keys(known), { otherwise })
    throw usageError(`--columns: there is no ${printable(JSON.stringify(name))}${end}`)
  })
}

function pick(row: Row, columns: readonly Column[]): Row {
  const found = columns.filter(({ name }) => row[name] !== undefined)
  return Object.fromEntries(found.map(({ name }) => [name, row[name]]))
}

/** RFC 4180; a terminal gets escapes in place of characters that control it. */
function csvOf(columns: readonly Column[]): Format {
  const shown = process.stdout.isTTY ? printable : String
  const cellIn = (row: Row, { name, type }: Column) => {
    const text = shown(textOf(row[name]))
    return quoteCell(type === 'integer' || type === 'tag' ? text : defuse(text))
  }
  return {
    head: () => `${columns.map(({ name }) => name).join(',')}\r\n`,
    line: (row) => `${columns.map((column) => cellIn(row, column)).join(',')}\r\n`,
  }
}

/** Of a terminal that does not say how wide it is. */
const widthDefault = 80

/** On a terminal a line is at most as wide. The widths follow from the first records: others arrive while those are read. */
function tableOf(kind: TableEntry['kind'], columns: readonly Column[]): Format {
  const { stdout } = process
  const width = stdout.isTTY ? stdout.columns || widthDefault : undefined
  const bold = (text: string) => styleText('bold', text, { stream: stdout })
  if (kind === 'record') return { line: (row) => recordLines(row, columns, { width, bold }) }
  let lineOf: ReturnType<typeof layOut>
  return {
    head(rows) {
      if (rows.length === 0) {
        if (stdout.isTTY) tell('There are none.')
        return ''
      }
      lineOf = layOut(columns, rows, width)
      return `${bold(lineOf())}\n`
    },
    line: (row) => `${lineOf(row)}\n`,
  }
}
