import { styleText } from 'node:util'
import { usageError } from '../../config/exit-error.ts'
import { stringifyJson } from '../../contract/int64-json.ts'
import { nearestName } from '../../nearest-name.ts'
import { escapeUnsafe, printable } from '../../telemetry/escape.ts'
import { type Column, cellOf, createTable, type Row } from './lay-out.ts'
import type { Flags } from './read-request.ts'
import type { TableEntry } from './table.ts'

/** Prints what a service returned. */
export type Printer = {
  /** Resolves with whether somebody still reads. */
  rows(rows: readonly Row[]): Promise<boolean>
  /** Completes what `rows` has printed. */
  end(): Promise<unknown>
  record(row: Row): Promise<unknown>
}

const formats = ['json', 'ndjson', 'csv', 'quiet'] as const

/** A printer for the format that these options ask for: a table by default. Throws `usage`. */
export function createPrinter(entry: TableEntry, flags: Flags): Printer {
  const [format, other] = formats.filter((name) => flags[name])
  if (other !== undefined) throw usageError(`--${format} and --${other} exclude each other.`)
  const columns = chosenColumns(entry, flags.columns as string | undefined)
  const selected = (row: Row) => (flags.columns === undefined ? row : pick(row, columns))
  switch (format) {
    case 'json':
      return entry.kind === 'stream' ? createLines(selected) : createArray(selected)
    case 'ndjson':
      return createLines(selected)
    case 'csv':
      return createCsv(columns)
    case 'quiet':
      return createIds(columns)
    default:
      return createTables(columns)
  }
}

function chosenColumns({ columns }: TableEntry, names: string | undefined): Column[] {
  const known = Object.keys(columns)
  const chosen = names?.split(',').map((name) => name.trim()) ?? known
  return chosen.map((name) => {
    const type = columns[name]
    if (type !== undefined) return { name, type }
    const nearest = nearestName(name, known)
    const end =
      nearest === undefined ? `there are ${known.join(', ')}.` : `did you mean ${nearest}?`
    throw usageError(`--columns: there is no ${printable(JSON.stringify(name))}; ${end}`)
  })
}

function pick(row: Row, columns: readonly Column[]): Row {
  const found = columns.filter(({ name }) => row[name] !== undefined)
  return Object.fromEntries(found.map(({ name }) => [name, row[name]]))
}

/** Resolves with whether the text was taken. An error other than a reader that has gone ends the process. */
export function write(text: string | Uint8Array): Promise<boolean> {
  return new Promise((resolve) => {
    process.stdout.write(text, (error) => resolve(!error))
  })
}

const jsonOf = (row: Row) => escapeUnsafe(stringifyJson(row))

function createLines(selected: (row: Row) => Row): Printer {
  const rows = (all: readonly Row[]) =>
    write(all.map((row) => `${jsonOf(selected(row))}\n`).join(''))
  return { rows, end: async () => undefined, record: (row) => rows([row]) }
}

function createArray(selected: (row: Row) => Row): Printer {
  let before = '['
  return {
    rows(all) {
      const lines = all.map((row) => {
        const line = `${before}${jsonOf(selected(row))}`
        before = ',\n'
        return line
      })
      return write(lines.join(''))
    },
    end: () => write(before === '[' ? '[]\n' : ']\n'),
    record: (row) => write(`${jsonOf(selected(row))}\n`),
  }
}

/** RFC 4180; a terminal gets escapes in place of characters that control it. */
function createCsv(columns: readonly Column[]): Printer {
  const shown = process.stdout.isTTY ? printable : String
  const lineOf = (cells: readonly string[]) =>
    `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`
  let header = lineOf(columns.map(({ name }) => name))
  const rows = (all: readonly Row[]) => {
    const lines = all.map((row) => lineOf(columns.map(({ name }) => shown(cellOf(row[name])))))
    const text = `${header}${lines.join('')}`
    header = ''
    return write(text)
  }
  return { rows, end: () => write(header), record: (row) => rows([row]) }
}

function createIds(columns: readonly Column[]): Printer {
  const { name = 'id' } = columns.find((column) => column.name === 'id') ?? columns[0] ?? {}
  const rows = (all: readonly Row[]) =>
    write(all.map((row) => `${printable(cellOf(row[name]))}\n`).join(''))
  return { rows, end: async () => undefined, record: (row) => rows([row]) }
}

function createTables(columns: readonly Column[]): Printer {
  const { stdout } = process
  const bold = (text: string) => styleText('bold', text, { stream: stdout })
  const table = createTable(columns, { width: stdout.isTTY ? stdout.columns : undefined, bold })
  return {
    rows: (all) => (all.length === 0 ? Promise.resolve(true) : write(table.lines(all))),
    end: async () => {
      if (stdout.isTTY && table.isEmpty()) process.stderr.write('There are none.\n')
    },
    record: (row) => write(table.record(row)),
  }
}
