import { stringifyJson } from './int64-json.ts'

/** The media types of records in a file. */
export const sheetTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const

/** The parts of a text between the separators of all dialects: for a quote inside of a cell another dialect splits it. */
const parts = /^'*[\t\r]|[^",;|\t\r\n]+/g
/** A part that a spreadsheet would run, after any number of apostrophes. */
const isRun = /^'*[=+\-@＝＋－＠\t\r]/
const isDefused = /^'+[=+\-@＝＋－＠\t\r]/

/** A text as a cell that no spreadsheet runs: with one apostrophe before each part that needs that. See `restore`. */
export function defuse(text: string): string {
  return text.replace(parts, (part) => (isRun.test(part) ? `'${part}` : part))
}

/** The text of a cell: the opposite of `defuse`, of every text. */
export function restore(cell: string): string {
  return cell.replace(parts, (part) => (isDefused.test(part) ? part.slice(1) : part))
}

type Member = string | number | bigint | boolean | readonly string[] | null | undefined

/** Between the texts of a list in one cell: none of them has it. */
export const listSeparator = '|'

/** How records with these members are written, by media type: CSV (RFC 4180) with a header, or a line of JSON for each. */
export function sheetFormats<Item extends object>(columns: readonly (keyof Item & string)[]) {
  return {
    [sheetTypes.csv]: {
      head: rowOf(columns),
      lineOf: (item: Item) => rowOf(columns.map((name) => item[name] as Member)),
    },
    [sheetTypes.ndjson]: {
      head: '',
      lineOf: (item: Item) => `${stringifyJson(item)}\n`,
    },
  }
}

function rowOf(members: readonly Member[]): string {
  return `${members.map(cellOf).join(',')}\r\n`
}

function cellOf(member: Member): string {
  if (Array.isArray(member)) return cellOf(member.join(listSeparator))
  return typeof member === 'string' ? quoteCell(defuse(member)) : String(member ?? '')
}

/** A cell of a row of CSV, in quotes where a dialect would split it. */
export function quoteCell(cell: string): string {
  return /[",;|\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** The name of a column as it is compared: case, spaces, `_`, `-` and format characters (Cf) do not count. */
export function plainName(column: string): string {
  return column.toLowerCase().replace(/[\s_\-\p{Cf}]/gu, '')
}
