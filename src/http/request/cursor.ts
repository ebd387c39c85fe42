import { crc32 } from 'node:zlib'

const version = 1
const lengthBytes = 1 + 8 + 4

/**
 * An opaque position in a list: version, last id, and a checksum over these and `list`, which names the operation, its
 * filters and its order. It holds no secret; the checksum detects mistakes.
 */
export function encodeCursor(lastId: bigint, list: string): string {
  // Unsafe allocation is cheaper, and every byte is written.
  const bytes = Buffer.allocUnsafe(lengthBytes)
  bytes.writeUInt8(version, 0)
  bytes.writeBigInt64BE(lastId, 1)
  bytes.writeUInt32BE(checksum(bytes, list), 9)
  return bytes.toString('base64url')
}

/** The id after which the page starts; `undefined` for a cursor of another list. */
export function decodeCursor(cursor: string, list: string): bigint | undefined {
  const bytes = bytesOf(cursor)
  if (!bytes || bytes.readUInt32BE(9) !== checksum(bytes, list)) return undefined
  return bytes.readBigInt64BE(1)
}

/** Whether a text has the form of a cursor. */
export function looksLikeCursor(text: string): boolean {
  return bytesOf(text) !== undefined
}

function bytesOf(cursor: string): Buffer | undefined {
  const bytes = Buffer.from(cursor, 'base64url')
  const isCanonical = bytes.length === lengthBytes && bytes.toString('base64url') === cursor
  return isCanonical && bytes.readUInt8(0) === version ? bytes : undefined
}

function checksum(bytes: Buffer, list: string): number {
  return crc32(list, crc32(bytes.subarray(0, 9)))
}
