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

/** The parts of a file that are kept, one after the other. */
export class KeptParts {
  readonly #bytes: Buffer
  #length = 0

  /** `sizeMaxBytes`: of all parts together. */
  constructor(sizeMaxBytes: number) {
    this.#bytes = Buffer.allocUnsafe(sizeMaxBytes)
  }

  add(part: Uint8Array): void {
    this.#bytes.set(part, this.#length)
    this.#length += part.length
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }
}
