import { crc32 } from 'node:zlib'

import type { Position } from '../../db/lists/page.ts'

/** Of a cursor that has an id, and of one that has the key of a name behind it. */
const versions = { id: 1, name: 2 }
const headBytes = 1 + 8
const checksumBytes = 4

/**
 * An opaque position in a list: version, last id, the key of its name where the order is by names, and a checksum over these and
 * `list`, which names the operation, its filters and its order. It holds no secret; the checksum detects mistakes.
 */
export function encodeCursor(last: Position, list: string): string {
  const { id, name } = typeof last === 'bigint' ? { id: last, name: undefined } : last
  const nameBytes = name === undefined ? 0 : Buffer.byteLength(name)
  // Unsafe allocation is cheaper, and every byte is written.
  const bytes = Buffer.allocUnsafe(headBytes + nameBytes + checksumBytes)
  bytes.writeUInt8(name === undefined ? versions.id : versions.name, 0)
  bytes.writeBigInt64BE(id, 1)
  if (name !== undefined) bytes.write(name, headBytes)
  bytes.writeUInt32BE(checksum(bytes, list), bytes.length - checksumBytes)
  return bytes.toString('base64url')
}

/** The position after which the page starts; `undefined` for a cursor of another list. */
export function decodeCursor(cursor: string, list: string): Position | undefined {
  const bytes = bytesOf(cursor)
  if (!bytes || bytes.readUInt32BE(bytes.length - checksumBytes) !== checksum(bytes, list))
    return undefined
  const id = bytes.readBigInt64BE(1)
  if (bytes.readUInt8(0) === versions.id) return id
  return { id, name: bytes.toString('utf8', headBytes, bytes.length - checksumBytes) }
}

/** Whether a text has the form of a cursor. */
export function looksLikeCursor(text: string): boolean {
  return bytesOf(text) !== undefined
}

function bytesOf(cursor: string): Buffer | undefined {
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.length < headBytes + checksumBytes || bytes.toString('base64url') !== cursor)
    return undefined
  const version = bytes.readUInt8(0)
  if (version === versions.id) return bytes.length === headBytes + checksumBytes ? bytes : undefined
  // No text of PostgreSQL has the character zero.
  const isSound =
    version === versions.name && !bytes.subarray(headBytes, -checksumBytes).includes(0)
  return isSound ? bytes : undefined
}

function checksum(bytes: Buffer, list: string): number {
  return crc32(list, crc32(bytes.subarray(0, -checksumBytes)))
}
