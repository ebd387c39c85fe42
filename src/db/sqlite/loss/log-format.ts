import { readSync } from 'node:fs'
import { endianness } from 'node:os'

/** SQLite's write-ahead log: a header, then frames, each with one page (sqlite.org/fileformat2.html, section 4). */
export const logHeaderBytes = 32
export const frameHeaderBytes = 24
/** The magic number with the checksums' words in little-endian order; big-endian is one more. */
const magicLittleEndian = 0x377f0682
/** Bytes that a checksum covers, of the header and of a frame's header. */
const headerSummedBytes = 24
const frameSummedBytes = 8
const chunkMaxBytes = 1 << 20

type Checksum = readonly [number, number]

type LogHeader = {
  pageSize: number
  isBigEndian: boolean
  /** As in the file: each frame of this log repeats them. */
  salts: Buffer
  checksum: Checksum
}

/** A frame; `bytes` is valid until the next one. */
export type Frame = {
  index: number
  page: number
  isCommit: boolean
  /** The salts are those of the log, and the checksum follows from the one that is stored before it. */
  isSound: boolean
  bytes: Buffer
}

/** The header of a log; `undefined` where SQLite would not accept it, and so ignore the whole log. */
export function parseLogHeader(bytes: Buffer): LogHeader | undefined {
  const magic = bytes.readUInt32BE(0)
  const pageSize = bytes.readUInt32BE(8)
  const isKnown = magic === magicLittleEndian || magic === magicLittleEndian + 1
  if (!isKnown || !isPageSize(pageSize)) return undefined
  const isBigEndian = magic !== magicLittleEndian
  const checksum = checksumAt(bytes, headerSummedBytes)
  const sum = extend([0, 0], wordsOf(bytes, isBigEndian), 0, headerSummedBytes / 4)
  if (!isEqual(sum, checksum)) return undefined
  return { pageSize, isBigEndian, salts: Buffer.from(bytes.subarray(16, 24)), checksum }
}

export function isPageSize(size: number): boolean {
  return size >= 512 && size <= 65_536 && (size & (size - 1)) === 0
}

/** All whole frames of an open log of `size` bytes in order, in constant memory. */
export function* framesOf(descriptor: number, size: number, header: LogHeader): Generator<Frame> {
  const frameBytes = frameHeaderBytes + header.pageSize
  const perChunk = Math.max(1, Math.floor(chunkMaxBytes / frameBytes))
  const chunk = Buffer.alloc(perChunk * frameBytes)
  let stored = header.checksum
  const count = Math.floor((size - logHeaderBytes) / frameBytes)
  for (let first = 0; first < count; first += perChunk) {
    const frames = Math.min(perChunk, count - first)
    if (
      !fill(descriptor, chunk.subarray(0, frames * frameBytes), logHeaderBytes + first * frameBytes)
    )
      return
    const words = wordsOf(chunk, header.isBigEndian)
    for (let index = 0; index < frames; index++) {
      const bytes = chunk.subarray(index * frameBytes, (index + 1) * frameBytes)
      const own = checksumAt(bytes, 16)
      const hasSalts = bytes.compare(header.salts, 0, 8, 8, 16) === 0
      yield {
        index: first + index,
        page: bytes.readUInt32BE(0),
        isCommit: bytes.readUInt32BE(4) !== 0,
        isSound: hasSalts && isEqual(sumOf(words, index * frameBytes, frameBytes, stored), own),
        bytes,
      }
      stored = own
    }
  }
}

/** The page of a frame. */
export function pageOf({ bytes }: Frame): Buffer {
  return bytes.subarray(frameHeaderBytes)
}

/** The checksum of the frame at this offset, which follows from the stored checksum before it. */
function sumOf(words: Int32Array, offset: number, frameBytes: number, before: Checksum): Checksum {
  const start = offset / 4
  const head = extend(before, words, start, start + frameSummedBytes / 4)
  return extend(head, words, start + frameHeaderBytes / 4, start + frameBytes / 4)
}

function extend([first, second]: Checksum, words: Int32Array, from: number, to: number): Checksum {
  let a = first | 0
  let b = second | 0
  for (let index = from; index < to; index += 2) {
    a = (a + (words[index] as number) + b) | 0
    b = (b + (words[index + 1] as number) + a) | 0
  }
  return [a, b]
}

/** The 32-bit words that a checksum adds up; of a copy where their order of bytes is not this machine's. */
function wordsOf(bytes: Buffer, isBigEndian: boolean): Int32Array {
  const isForeign = isBigEndian !== (endianness() === 'BE')
  const own = isForeign ? Buffer.alloc(bytes.length, bytes).swap32() : bytes
  return new Int32Array(own.buffer, own.byteOffset, own.length / 4)
}

function checksumAt(bytes: Buffer, offset: number): Checksum {
  return [bytes.readInt32BE(offset), bytes.readInt32BE(offset + 4)]
}

function isEqual([a, b]: Checksum, [c, d]: Checksum): boolean {
  return a === c && b === d
}

/** Fills the buffer from this position; `false` where the file ends before. */
export function fill(descriptor: number, buffer: Buffer, position: number): boolean {
  let filled = 0
  while (filled < buffer.length) {
    const read = readSync(descriptor, buffer, filled, buffer.length - filled, position + filled)
    if (read === 0) return false
    filled += read
  }
  return true
}
