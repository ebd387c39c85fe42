import { ServiceError } from '../../../contract/service-error.ts'

/** A picture as it is stored: the bytes that show it, without what else its file says. */
export type Picture = { width: number; height: number; bytes: Buffer }

/** The size of a picture in points, as its header says. */
export type Size = Pick<Picture, 'width' | 'height'>

/** A file that ends before its picture does. */
export function cut(): ServiceError {
  return invalid('ends before the picture does: it was cut, or not sent to its end')
}

/** A file of the right type that breaks the rules of its format. */
export function damaged(how: string): ServiceError {
  return invalid(`is damaged: ${how}`)
}

function invalid(what: string): ServiceError {
  return new ServiceError('invalid_body', `The file ${what}.`)
}

/** The most parts of a file: of a few bytes each, a million would fit into it, and take long to read. */
const partsMax = 10_000

/** Call the result for each part of a file, such as a chunk. Throws `invalid_body` where there are too many. */
export function countParts(): () => void {
  let parts = 0
  return () => {
    parts += 1
    if (parts > partsMax) throw damaged(`it has more than ${partsMax} parts`)
  }
}
