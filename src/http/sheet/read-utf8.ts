import { isUtf8 } from 'node:buffer'
import { fileProblem } from './file-problem.ts'

/** So many bytes are parsed at once. */
const sliceBytes = 8_192

const lineFeed = 0x0a

/** The bytes of a text file, whole characters at a time. Throws `invalid_body` for other than UTF-8. */
export async function* readUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let carried = Buffer.alloc(0)
  let line = 1
  let isFirst = true

  for await (const chunk of gathered(chunks)) {
    const bytes = Buffer.concat([carried, chunk])
    if (isFirst) refuseOtherKinds(bytes)
    isFirst = false
    const whole = wholeCharacters(bytes)
    if (!whole) throw notUtf8(line + countValidLines(bytes))
    carried = bytes.subarray(whole.length)
    line += countLineFeeds(whole)
    if (whole.length > 0) yield whole
  }
  if (carried.length > 0) throw notUtf8(line)
}

/** The same bytes in chunks of a slice at least, but for the last: a client may cut them one by one. */
async function* gathered(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of chunks) {
    parts.push(chunk)
    sizeBytes += chunk.length
    if (sizeBytes < sliceBytes) continue
    yield Buffer.concat(parts)
    parts = []
    sizeBytes = 0
  }
  if (sizeBytes > 0) yield Buffer.concat(parts)
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

/** The bytes without the beginning of a last character whose rest is in the next chunk; undefined for other than UTF-8. */
function wholeCharacters(bytes: Buffer): Buffer | undefined {
  return [0, 1, 2, 3]
    .map((cut) => bytes.subarray(0, bytes.length - cut))
    .find((part) => isUtf8(part))
}

/** How many lines end before the first that is not UTF-8. */
function countValidLines(bytes: Buffer): number {
  let lines = 0
  for (let start = 0; ; lines++) {
    const end = bytes.indexOf(lineFeed, start)
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) return lines
    start = end + 1
  }
}

/** A loop over the bytes: a search for each line feed would take many times as long where lines are short. */
function countLineFeeds(bytes: Buffer): number {
  let count = 0
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === lineFeed) count++
  return count
}
