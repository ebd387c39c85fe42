import { bodySizeMaxBytes } from '../../contract/operation.ts'
import { ServiceError } from '../../contract/service-error.ts'

/** The refusal of a file that cannot be read further than this line. */
export function fileProblem(line: number, detail: string): ServiceError {
  return new ServiceError('invalid_body', `Line ${line} of the file ${detail}.`)
}

/** A row may be as large as the body of a request for it alone. */
export const rowMaxBytes = bodySizeMaxBytes

export function rowTooLarge(line: number): ServiceError {
  return new ServiceError(
    'body_too_large',
    `The row on line ${line} is larger than ${rowMaxBytes} bytes, the maximum. Does a quote never close?`,
  )
}
