import { importBytesMax } from './import-limits.ts'

/** CSV; an array of JSON; a JSON text on each line. */
export type SheetFormat = 'csv' | 'array' | 'lines'

/**
 * A record as it came, without its line end or comma, and the line on which it begins. Of CSV also its cells, but where a
 * quote is misplaced.
 */
export type RowText = { line: number; text: string; cells?: readonly string[] | undefined }

/** The format of a file of this media type, if it has one, that begins so. */
export function formatOf(mediaType: string | undefined, head: string): SheetFormat {
  const first = head.trimStart()[0]
  const isJson = mediaType === undefined ? first === '[' || first === '{' : mediaType !== 'text/csv'
  if (!isJson) return 'csv'
  return first === '[' && mediaType !== 'application/x-ndjson' ? 'array' : 'lines'
}

export type Splitter = ReturnType<typeof createSplitter>

/**
 * Splits a text into records, without those of empty cells. A row of CSV with a misplaced quote is its first line, so that
 * the rows below it are read. Behind `rowsMax` records there may be one more, and the rest of the text is not split.
 */
export function createSplitter(format: SheetFormat, { rowsMax = Number.POSITIVE_INFINITY } = {}) {
  let rest = ''
  let line = 1
  let isStart = true
  let hasEnded = false
  let head = ''
  let delimiter = ''
  let columns: readonly string[] = []

  function take(isEnd: boolean): RowText[] {
    const rows: RowText[] = []
    let at = 0
    while (rows.length <= rowsMax) {
      at = skipBlank(at, isEnd)
      const piece = readPiece(at, isEnd)
      if (!piece) break
      const text = rest.slice(at, piece.end)
      if (format === 'csv') addCells(rows, text, piece.cells)
      else if (text.trim() !== '') rows.push(jsonRow(text))
      line += countLineEnds(rest, at, piece.next)
      at = piece.next
    }
    rest = rest.slice(at)
    return rows
  }

  /** Behind lines of empty cells: many spreadsheets end with thousands. */
  function skipBlank(at: number, isEnd: boolean): number {
    const blank = format === 'csv' ? ` \t${delimiter || ',;|'}` : ' \t'
    for (let from = at, end = at; ; end += 1) {
      const mark = rest[end] ?? ''
      const isLineEnd = mark === '\n' || (mark === '\r' && (isEnd || end + 1 < rest.length))
      if (format === 'array' || (!isLineEnd && (mark === '' || !blank.includes(mark)))) return from
      if (!isLineEnd) continue
      if (mark === '\r' && rest[end + 1] === '\n') end += 1
      from = end + 1
      line += 1
    }
  }

  function readPiece(at: number, isEnd: boolean): Piece | undefined {
    if (format === 'lines') return readLine(rest, at, isEnd)
    if (format === 'csv') {
      delimiter ||= findDelimiter(at, isEnd)
      return readRow(rest, at, { delimiter: delimiter || ',', isEnd })
    }
    const piece = hasEnded ? undefined : readElement(rest, at)
    if (piece?.isLast) hasEnded = true
    return piece
  }

  /** What a line has most of, once it is whole. */
  function findDelimiter(at: number, isEnd: boolean): string {
    const line = readLine(rest, at, isEnd)
    if (!line) return ''
    const text = rest.slice(at, line.end).replace(/"[^"]*"/g, '""')
    const countOf = (one: string) => text.split(one).length
    return [',', ';', '\t'].reduce((a, b) => (countOf(b) > countOf(a) ? b : a))
  }

  function addCells(rows: RowText[], text: string, cells: readonly string[] | undefined) {
    const [, named] = head === '' ? (/^sep=([,;|\t])$/i.exec(text) ?? []) : []
    if (named !== undefined) delimiter = named
    else if (cells?.every((cell) => cell.trim() === '')) return
    else if (columns.length > 0) return void rows.push({ line, text, cells })
    else columns = cells ?? [text]
    head += `${text}\n`
  }

  function jsonRow(text: string): RowText {
    const blank = text.length - text.trimStart().length
    return { line: line + countLineEnds(text, 0, blank), text: text.trim() }
  }

  return {
    /** Takes a piece of the text; gives the records that it completes. */
    push(text: string): RowText[] {
      rest += text
      if (isStart) {
        // The bracket of an array; a byte order mark.
        const skipped = format === 'array' ? rest.indexOf('[') + 1 : Number(rest[0] === '\ufeff')
        if (rest === '' || (format === 'array' && skipped === 0)) return []
        line += countLineEnds(rest, 0, skipped)
        rest = rest.slice(skipped)
        isStart = false
      }
      return take(false)
    },
    /** Gives the last records, once all is pushed. */
    end(): RowText[] {
      const rows = take(true)
      const isCut = format === 'array' && !hasEnded
      // Behind an array, or in one that does not end: what reads it finds that it is no JSON.
      if (isCut || rest.trim() !== '') rows.push(jsonRow(isCut ? `[${rest}` : rest))
      return rows
    },
    /** Of CSV, once there is a record: the names of its columns, and all in front of the first row. */
    columns: () => columns,
    head: () => head,
    delimiter: () => delimiter,
    /** The text of a file of these records alone. */
    join: (texts: readonly string[]) =>
      format === 'array' ? `[${texts.join(',\n')}]` : `${head}${texts.join('\n')}\n`,
  }
}

/** A record that begins at some position: where it ends, and where the next begins. */
type Piece = { end: number; next: number; cells?: readonly string[] | undefined; isLast?: boolean }

const lineEnds = /\r\n|\n|\r/g

/** The line at a position; undefined where it may go on. */
function readLine(text: string, at: number, isEnd: boolean): Piece | undefined {
  lineEnds.lastIndex = at
  const found = lineEnds.exec(text)
  const isCut = found?.[0] === '\r' && found.index + 1 === text.length && !isEnd
  if (found && !isCut) return { end: found.index, next: lineEnds.lastIndex }
  return isEnd && at < text.length ? { end: text.length, next: text.length } : undefined
}

function countLineEnds(text: string, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code === lineFeed || (code === carriageReturn && text.charCodeAt(at + 1) !== lineFeed))
      count += 1
  }
  return count
}

const quote = 0x22
const lineFeed = 0x0a
const carriageReturn = 0x0d

/** The row of CSV (RFC 4180) at a position; undefined where it may go on. */
function readRow(
  text: string,
  at: number,
  { delimiter, isEnd }: { delimiter: string; isEnd: boolean },
): Piece | undefined {
  const line = readLine(text, at, isEnd)
  if (!line) return undefined
  const whole = text.slice(at, line.end)
  if (!whole.includes('"')) return { ...line, cells: whole.split(delimiter) }
  const cells: string[] = []
  let { end: lineEnd } = line
  for (let from = at; ; ) {
    let end: number
    if (text[from] === '"') {
      const close = closingQuote(text, from)
      if (close === -1) return isEnd || text.length - at > importBytesMax ? line : undefined
      cells.push(text.slice(from + 1, close).replaceAll('""', '"'))
      end = close + 1
      if (end > lineEnd) lineEnd = readLine(text, end, true)?.end ?? end
    } else {
      const length = text.slice(from, lineEnd).indexOf(delimiter)
      end = length === -1 ? lineEnd : from + length
      const cell = text.slice(from, end)
      if (cell.includes('"')) return line
      cells.push(cell)
    }
    if (end < lineEnd && text[end] !== delimiter) return line
    if (end === lineEnd) {
      const last = readLine(text, end, isEnd)
      if (last) return { ...last, cells }
      return isEnd ? { end, next: end, cells } : undefined
    }
    from = end + 1
  }
}

/** The end of the cell in quotes at a position; -1 where there is none. */
export function closingQuote(text: string, at: number): number {
  for (let end = at + 1; end < text.length; end++) {
    if (text.charCodeAt(end) !== quote) continue
    if (text.charCodeAt(end + 1) !== quote) return end
    end += 1
  }
  return -1
}

/** The element of an array at a position; undefined where it may go on. */
function readElement(text: string, at: number): Piece | undefined {
  let depth = 0
  let isInString = false
  for (let end = at; end < text.length; end++) {
    const mark = text[end]
    if (isInString) {
      if (mark === '\\') end += 1
      else if (mark === '"') isInString = false
    } else if (mark === '"') isInString = true
    else if (mark === '[' || mark === '{') depth += 1
    else if (depth > 0) depth -= mark === ']' || mark === '}' ? 1 : 0
    else if (mark === ',' || mark === ']') return { end, next: end + 1, isLast: mark === ']' }
  }
  return undefined
}
