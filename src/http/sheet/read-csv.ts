import type * as Csv from 'csv-parse'
import { csvOptions } from '../../contract/sheets.ts'
import { fileProblem, rowMaxBytes, rowTooLarge } from './file-problem.ts'

/** A record of a CSV file, and the line on which it begins. */
export type CsvRecord = { line: number; cells: readonly string[] }

/**
 * The records of a CSV file (RFC 4180), the header first; those of a slice together. Throws `invalid_body`, `body_too_large`.
 */
export async function* readCsv(slices: AsyncIterable<Buffer>): AsyncGenerator<CsvRecord[]> {
  // Loaded when the first file comes.
  const csv = await import('csv-parse')
  let write: ReturnType<typeof startParser> | undefined
  for await (const slice of joinFirstLine(slices)) {
    write ??= startParser(csv, slice)
    yield await write(slice)
  }
  if (write) yield await write()
}

/** The slices, those of the first line as one: it tells the delimiter. */
async function* joinFirstLine(slices: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const head: Buffer[] = []
  let headBytes = 0
  let isJoined = false
  for await (const slice of slices) {
    if (isJoined) {
      yield slice
      continue
    }
    head.push(slice)
    headBytes += slice.length
    isJoined = slice.includes('\n') || slice.includes('\r') || headBytes > rowMaxBytes
    if (isJoined) yield Buffer.concat(head)
  }
  if (!isJoined && headBytes > 0) yield Buffer.concat(head)
}

/** Starts a parser; returns the function that gives it bytes, or the end, and returns what records these complete. */
function startParser({ parse }: Pick<typeof Csv, 'parse'>, head: Buffer) {
  let records: CsvRecord[] = []
  let nextLine = 1
  let emptyLines = 0
  const parser = parse({
    ...csvOptions(head.toString('utf8')),
    max_record_size: rowMaxBytes,
    // Its own count of lines has a CRLF in quotes twice.
    on_record(cells: string[], { empty_lines }) {
      const line = nextLine + empty_lines - emptyLines
      records.push({ line, cells })
      nextLine = line + 1 + lineBreaksIn(cells)
      emptyLines = empty_lines
      // Otherwise it makes an error, with a stack, of each row that has not as many cells as the first.
      ;(parser.info as { records: number }).records = 0
      return null
    },
  })
  parser.on('error', () => undefined)
  parser.resume()

  return async (slice?: Buffer): Promise<CsvRecord[]> => {
    await new Promise<void>((resolve, reject) => {
      const settle = (error?: Error | null) =>
        error ? reject(explain(error, nextLine)) : resolve()
      if (slice) parser.write(slice, settle)
      else parser.end(settle)
    })
    const complete = records
    records = []
    return complete
  }
}

function lineBreaksIn(cells: readonly string[]): number {
  const broken = cells.filter((cell) => cell.includes('\n') || cell.includes('\r'))
  return broken.reduce((count, cell) => count + cell.split(/\r\n|\r|\n/).length - 1, 0)
}

function explain(error: Error & { code?: string }, line: number): Error {
  switch (error.code) {
    case 'CSV_MAX_RECORD_SIZE':
      return rowTooLarge(line)
    case 'CSV_QUOTE_NOT_CLOSED':
      return fileProblem(line, 'begins a row with a quote that never closes')
    case 'CSV_INVALID_CLOSING_QUOTE':
    case 'INVALID_OPENING_QUOTE':
      return fileProblem(
        line,
        'begins a row with a quote inside of a cell. Put such a cell in quotes, and double those that it has',
      )
    default:
      return error
  }
}
