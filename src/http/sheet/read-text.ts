import { isUtf8 } from 'node:buffer'
import { ServiceError } from '../../contract/service-error.ts'
import { locateInvalidUtf8 } from '../request/locate-json-error.ts'

/** The refusal of a file. */
export function fileProblem(detail: string): ServiceError {
  return new ServiceError('invalid_body', `The file ${detail}.`)
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
  const advice = 'Save the file as CSV in UTF-8, and send it again'
  throw fileProblem(`is not UTF-8 at ${locateInvalidUtf8(bytes)}. ${advice}`)
}
