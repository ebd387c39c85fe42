import { isUtf8 } from 'node:buffer'
import { ServiceError } from '../../contract/service-error.ts'

/** The refusal of a file. */
export function fileProblem(detail: string, what = 'The file'): ServiceError {
  return new ServiceError('invalid_body', `${what} ${detail}.`)
}

/** The text of a file. Throws `invalid_body` for other than UTF-8. */
export function readText(bytes: Buffer): string {
  // A file of a spreadsheet program is a zip; some save CSV as UTF-16.
  const start = bytes.toString('latin1', 0, 4)
  if (start.startsWith('PK\x03\x04')) {
    throw fileProblem('begins a zip, such as an .xlsx. Save the spreadsheet as CSV in UTF-8')
  }
  if (start.startsWith('\xff\xfe') || start.startsWith('\xfe\xff')) {
    throw fileProblem('is UTF-16. Save the file as CSV in UTF-8, and send it again')
  }
  if (isUtf8(bytes)) return bytes.toString('utf8')
  throw fileProblem(
    'is not UTF-8. Save the file as CSV in UTF-8, and send it again',
    `Line ${1 + countValidLines(bytes)} of the file`,
  )
}

const lineFeed = 0x0a

/** How many lines end before the first that is not UTF-8. */
function countValidLines(bytes: Buffer): number {
  let lines = 0
  for (let start = 0; ; lines++) {
    const end = bytes.indexOf(lineFeed, start)
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) return lines
    start = end + 1
  }
}
