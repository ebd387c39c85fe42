import type { Context } from '../../context/context.ts'
import type { ReceivedBytes } from '../../contract/content.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Target } from '../if-match.ts'
import { type Photo, photoBytesMax } from './contract.ts'
import { digestOf } from './digest.ts'
import { readPicture } from './formats/read-picture.ts'
import { replacePhoto, tagOf } from './write-photos.ts'

/**
 * Stores a photo of a pet without what else its file says. Resolves only once it is durable. Throws
 * `unsupported_media_type`, `body_too_large`, `invalid_body`, `not_found`, `precondition_failed`.
 */
export async function storePhoto(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { body: { bytes: sent }, ...target }: Target & { body: ReceivedBytes },
): Promise<{ record: Photo; isNew: boolean; tag: string | undefined }> {
  requireAtMost(photoBytesMax, sent, 'The file')
  const { bytes, ...body } = photoIn(sent, clock())
  // What keeps the orientation can be longer than what it replaces.
  requireAtMost(photoBytesMax, bytes, 'The photo that would be stored')
  const stored = await db.write(replacePhoto, { ...target, body, bytes })
  return { ...stored, tag: bytes.equals(sent) ? tagOf(body) : undefined }
}

function requireAtMost(max: number, { length }: Uint8Array, what: string) {
  if (length <= max) return
  throw new ServiceError('body_too_large', `${what} is larger than ${max} bytes, the maximum.`)
}

/** The photo in a file, and what is known of it. Throws `unsupported_media_type`, `invalid_body`. */
export function photoIn(file: Uint8Array, now: number) {
  const { bytes, ...picture } = readPicture(asBuffer(file))
  return {
    ...picture,
    sizeBytes: bytes.length,
    digest: digestOf(bytes),
    updatedAt: new Date(now).toISOString(),
    bytes,
  }
}

/** Buffers that cross threads arrive as plain bytes. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
