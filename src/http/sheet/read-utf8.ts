import { isUtf8 } from 'node:buffer'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileProblem } from './file-problem.ts'

/** So many bytes are parsed between two turns of the event loop. */
const sliceBytes = 8_192

const lineFeed = 0x0a

/** The bytes of a text file, a little in each turn of the event loop. Throws `invalid_body` for other than UTF-8. */
export async function* readUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let carried = Buffer.alloc(0)
  let line = 1
  let isFirst = true

  for await (const chunk of chunks) {
    const bytes = Buffer.concat([carried, chunk])
    if (isFirst && bytes.length >= 4) {
      refuseOtherKinds(bytes)
      isFirst = false
    }
    const whole = bytes.subarray(0, bytes.length - unfinishedBytes(bytes))
    carried = bytes.subarray(whole.length)
    const invalid = isUtf8(whole) ? undefined : findInvalidLine(whole)
    if (invalid !== undefined) throw notUtf8(line + invalid)
    line += countLineFeeds(whole)
    for (let start = 0; start < whole.length; start += sliceBytes) {
      yield whole.subarray(start, start + sliceBytes)
      await nextTurn()
    }
  }
  if (carried.length > 0) throw notUtf8(line)
}

function notUtf8(line: number) {
  return fileProblem(line, 'is not UTF-8. Save the file as CSV in UTF-8, and send it again')
}

/** A file of a spreadsheet program is a zip; some save CSV as UTF-16. */
function refuseOtherKinds(bytes: Buffer): void {
  const start = bytes.toString('latin1', 0, 4)
  if (start.startsWith('PK\x03\x04')) {
    throw fileProblem(1, 'begins a zip, such as an .xlsx. Save the spreadsheet as CSV in UTF-8')
  }
  if (start.startsWith('\xff\xfe') || start.startsWith('\xfe\xff')) {
    throw fileProblem(1, 'is UTF-16. Save the file as CSV in UTF-8, and send it again')
  }
}

/** How many bytes at the end begin a character whose rest is in the next chunk. */
function unfinishedBytes(bytes: Buffer): number {
  for (let count = 1; count <= 3; count++) {
    const byte = bytes.at(-count) ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > count ? count : 0
  }
  return 0
}

/** How many lines precede the first that is not UTF-8. */
function findInvalidLine(bytes: Buffer): number {
  let lines = 0
  for (let start = 0; start < bytes.length; lines++) {
    const end = bytes.indexOf(lineFeed, start)
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) break
    start = end + 1
  }
  return lines
}

function countLineFeeds(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) count++
  return count
}
