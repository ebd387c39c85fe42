import { exifOf, isTurned, orientationIn } from './exif.ts'
import { countParts, cut, damaged, type Picture, type Size } from './picture.ts'

const headerBytes = 12
/** Type and length of a chunk. */
const frameBytes = 8
/** Which metadata a file has, in the first byte of the chunk VP8X. */
const hasExif = 0x08
const hasXmp = 0x04

/** Chunks that decide how the picture looks. EXIF data, XMP and unknown chunks are not kept. */
const kept = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
const pictures = new Set(['VP8 ', 'VP8L', 'ANMF'])
/** Of a frame of an animation: its place, size and duration. The chunks of its picture follow. */
const frameStartBytes = 16
const keptInFrame = new Set(['VP8 ', 'VP8L', 'ALPH'])

/** Reads a WebP file by its chunks (RFC 9649). Kept are those that decide how it looks, and the orientation. */
export function readWebp(file: Buffer): Picture {
  const fileEnd = file.length < headerBytes ? 0 : file.readUInt32LE(4) + frameBytes
  if (fileEnd < headerBytes || fileEnd > file.length) throw cut()
  const parts: Buffer[] = []
  let size: Size | undefined
  let orientation: number | undefined
  let hasPicture = false
  const countPart = countParts()
  parts.push(file.subarray(0, headerBytes))
  for (const chunk of chunksOf(file.subarray(0, fileEnd), headerBytes, countPart)) {
    const { type, content, isFirst } = chunk
    const own = sizeIn(type, content)
    if (isFirst ? !own : type === 'VP8X') throw damaged('it must begin with its one header')
    if (own && size && (own.width !== size.width || own.height !== size.height))
      throw damaged('its header and its picture differ in size')
    size ??= own
    hasPicture ||= pictures.has(type)
    if (type === 'EXIF') orientation ??= orientationIn(content)
    else if (type === 'ANMF') addChunk(parts, frameOf(content, size, countPart))
    else if (kept.has(type)) addChunk(parts, chunk.bytes)
  }
  if (!size || !hasPicture) throw damaged('it has no picture')
  const isExtended = file.toString('latin1', headerBytes, headerBytes + 4) === 'VP8X'
  const metadata = isExtended && isTurned(orientation) ? hasExif : 0
  if (metadata && orientation) addChunk(parts, chunkOf('EXIF', exifOf(orientation)))
  const bytes = Buffer.concat(parts)
  bytes.writeUInt32LE(bytes.length - frameBytes, 4)
  const flagsAt = headerBytes + frameBytes
  if (isExtended) bytes[flagsAt] = ((bytes[flagsAt] ?? 0) & ~(hasExif | hasXmp)) | metadata
  return { ...size, bytes }
}

type Chunk = { type: string; content: Buffer; bytes: Buffer; isFirst: boolean }

/** The chunks of a file, or of a frame of an animation. */
function* chunksOf(file: Buffer, start: number, countPart: () => void): Generator<Chunk> {
  for (let at = start; at < file.length; ) {
    countPart()
    if (at + frameBytes > file.length) throw cut()
    const length = file.readUInt32LE(at + 4)
    const end = at + frameBytes + length
    if (end > file.length) throw cut()
    const bytes = file.subarray(at, end)
    const type = bytes.toString('latin1', 0, 4)
    yield { type, content: bytes.subarray(frameBytes), bytes, isFirst: at === start }
    at = end + (length % 2)
  }
}

/** A frame of an animation with those chunks that show it: it may have metadata of its own. */
function frameOf(frame: Buffer, canvas: Size | undefined, countPart: () => void): Buffer {
  const parts: Buffer[] = []
  parts.push(frame.subarray(0, frameStartBytes))
  for (const { type, content, bytes } of chunksOf(frame, frameStartBytes, countPart)) {
    const { width, height } = sizeIn(type, content) ?? { width: 0, height: 0 }
    if (!canvas || width > canvas.width || height > canvas.height)
      throw damaged('one of its frames is larger than it is')
    if (keptInFrame.has(type)) addChunk(parts, bytes)
  }
  return chunkOf('ANMF', Buffer.concat(parts))
}

/** A chunk has an even length. */
function addChunk(parts: Buffer[], chunk: Buffer) {
  parts.push(chunk)
  if (chunk.length % 2 === 1) parts.push(Buffer.alloc(1))
}

function chunkOf(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(frameBytes)
  head.write(type, 'latin1')
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content])
}

const leastBytes: Record<string, number> = { VP8X: 10, VP8L: 5, 'VP8 ': 10 }

/** The size that a chunk states; undefined where its type states none, or its content is not of that. */
function sizeIn(type: string, content: Buffer): Size | undefined {
  if (content.length < (leastBytes[type] ?? 0)) return undefined
  switch (type) {
    case 'VP8X':
      return { width: content.readUIntLE(4, 3) + 1, height: content.readUIntLE(7, 3) + 1 }
    case 'VP8L': {
      const bits = content.readUInt32LE(1)
      const size = { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
      return content[0] === 0x2f ? size : undefined
    }
    case 'VP8 ': {
      const [width, height] = [content.readUInt16LE(6), content.readUInt16LE(8)]
      // The code with which a key frame starts.
      const isKeyFrame = content.readUIntBE(3, 3) === 0x9d012a
      return isKeyFrame ? { width: width & 0x3fff, height: height & 0x3fff } : undefined
    }
    default:
      return undefined
  }
}
