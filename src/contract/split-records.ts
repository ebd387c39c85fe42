/** CSV; an array of JSON; a JSON text on each line. */
type SheetType = 'text/csv' | 'application/json' | 'application/x-ndjson'

/**
 * A record as it came, without its line end or comma, where it begins in the text, and on which line. Of CSV also its cells,
 * but where a quote is misplaced.
 */
export type RowText = {
  at: number
  line: number
  text: string
  cells?: readonly string[] | undefined
}

/** The records of a file. Of CSV also the names of its columns, and its lines in front: `sep=;` and the header. */
export type Sheet = {
  type: SheetType
  rows: RowText[]
  columns: readonly string[]
  head: readonly string[]
  delimiter: string
}

/**
 * Splits a file into records, without those of empty cells. Where there is no media type, the first character decides. A row
 * of CSV with a misplaced quote is its first line, so that the rows below it are read. Behind `rowsMax` records there may be
 * one more, and the rest of the text is not split.
 */
export function splitRecords(text: string, mediaType?: string, rowsMax = Infinity): Sheet {
  const first = text.trimStart()[0]
  const isJson = mediaType === undefined ? first === '[' || first === '{' : mediaType !== 'text/csv'
  if (!isJson) return splitCsv(text, rowsMax)
  const isArray = first === '[' && mediaType !== 'application/x-ndjson'
  return splitJson(text, isArray ? 'application/json' : 'application/x-ndjson', rowsMax)
}

function splitJson(text: string, type: SheetType, rowsMax: number): Sheet {
  const isArray = type === 'application/json'
  const isCut = isArray && !text.trimEnd().endsWith(']')
  const end = isArray && !isCut ? text.lastIndexOf(']') : text.length
  const rows: RowText[] = []
  let at = isArray ? text.indexOf('[') + 1 : 0
  let line = 1 + countLineEnds(text, 0, at)
  while (at <= end && rows.length <= rowsMax) {
    const next = isArray ? elementEnd(text, at, end) : lineAt(text, at).end
    const piece = text.slice(at, next)
    // What reads the last element of an array that does not end finds that it is no JSON.
    const row = isCut && next === end ? `[${piece.trim()}` : piece.trim()
    const begin = next - piece.trimStart().length
    if (row !== '') rows.push({ at: begin, line: line + countLineEnds(text, at, begin), text: row })
    line += countLineEnds(text, at, next + 1)
    at = next + 1
  }
  return { type, rows, columns: [], head: [], delimiter: '' }
}

/** Where the element of an array at a position ends. */
function elementEnd(text: string, at: number, last: number): number {
  let depth = 0
  let isInString = false
  for (let end = at; end < last; end++) {
    const mark = text[end]
    if (isInString) {
      if (mark === '\\') end += 1
      else if (mark === '"') isInString = false
    } else if (mark === '"') isInString = true
    else if (mark === '[' || mark === '{') depth += 1
    else if (mark === ']' || mark === '}') depth -= 1
    else if (mark === ',' && depth === 0) return end
  }
  return last
}

/** Many spreadsheets end with thousands of these. */
const emptyCells = /[ \t,;|]*(?:\r\n|\r|\n)/y

function splitCsv(text: string, rowsMax: number): Sheet {
  const rows: RowText[] = []
  const head: string[] = []
  let columns: readonly string[] = []
  let delimiter = ''
  let line = 1
  // Behind a byte order mark.
  for (let at = Number(text[0] === '\ufeff'); at < text.length && rows.length <= rowsMax; ) {
    emptyCells.lastIndex = at
    if (emptyCells.test(text)) {
      at = emptyCells.lastIndex
      line += 1
      continue
    }
    delimiter ||= findDelimiter(text, at)
    const { end, next, cells } = readRow(text, at, delimiter)
    const row = text.slice(at, end)
    const [, named] = head.length === 0 ? (/^sep=([,;|\t])$/i.exec(row) ?? []) : []
    if (named !== undefined) {
      head.push(row)
      delimiter = named
    } else if (!cells?.every((cell) => cell.trim() === '')) {
      if (columns.length > 0) rows.push({ at, line, text: row, cells })
      else {
        head.push(row)
        columns = cells ?? [row]
      }
    }
    line += countLineEnds(text, at, next)
    at = next
  }
  return { type: 'text/csv', rows, columns, head, delimiter }
}

/** What the first line has most of. */
function findDelimiter(text: string, at: number): string {
  const line = text.slice(at, lineAt(text, at).end).replace(/"[^"]*"/g, '""')
  const countOf = (one: string) => line.split(one).length
  return [',', ';', '\t'].reduce((a, b) => (countOf(b) > countOf(a) ? b : a))
}

/** A record that begins at some position: where it ends, and where the next begins. */
type Piece = { end: number; next: number; cells?: readonly string[] }

const lineEnds = /\r\n|\n|\r/g

function lineAt(text: string, at: number): Piece {
  lineEnds.lastIndex = at
  const found = lineEnds.exec(text)
  return found
    ? { end: found.index, next: lineEnds.lastIndex }
    : { end: text.length, next: text.length }
}

function countLineEnds(text: string, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at++) {
    const mark = text[at]
    if (mark === '\n' || (mark === '\r' && text[at + 1] !== '\n')) count += 1
  }
  return count
}

/** The row of CSV (RFC 4180) at a position. */
function readRow(text: string, at: number, delimiter: string): Piece {
  const line = lineAt(text, at)
  const whole = text.slice(at, line.end)
  if (!whole.includes('"')) return { ...line, cells: whole.split(delimiter) }
  const cells: string[] = []
  let { end: lineEnd } = line
  for (let from = at; ; ) {
    let end: number
    if (text[from] === '"') {
      const close = closingQuote(text, from)
      if (close === -1) return line
      cells.push(text.slice(from + 1, close).replaceAll('""', '"'))
      end = close + 1
      if (end > lineEnd) lineEnd = lineAt(text, end).end
    } else {
      const length = text.slice(from, lineEnd).indexOf(delimiter)
      end = length === -1 ? lineEnd : from + length
      const cell = text.slice(from, end)
      if (cell.includes('"')) return line
      cells.push(cell)
    }
    if (end === lineEnd) return { ...lineAt(text, end), cells }
    if (text[end] !== delimiter) return line
    from = end + 1
  }
}

/** The end of the cell in quotes at a position; -1 where there is none. */
export function closingQuote(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end !== -1; end = text.indexOf('"', end + 2))
    if (text[end + 1] !== '"') return end
  return -1
}
