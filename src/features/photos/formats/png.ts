import { crc32 } from 'node:zlib'
import { exifOf, isTurned, orientationIn } from './exif.ts'
import { countParts, cut, damaged, type Picture, type Size } from './picture.ts'

const signatureBytes = 8
/** Length, type and checksum. */
const frameBytes = 12

/** Chunks that decide how the picture looks (PNG, third edition). Times, texts, EXIF data and unknown chunks are not kept. */
const kept = new Set([
  ...[
    'IHDR',
    'PLTE',
    'IDAT',
    'IEND',
    'acTL',
    'fcTL',
    'fdAT',
    'tRNS',
    'bKGD',
    'pHYs',
    'hIST',
    'sPLT',
  ],
  ...['cHRM', 'gAMA', 'iCCP', 'sBIT', 'sRGB', 'cICP', 'mDCV', 'cLLI'],
])

/** Reads a PNG file by its chunks. Kept are those that decide how it looks, and the orientation. */
export function readPng(file: Buffer): Picture {
  const before: Buffer[] = []
  const rest: Buffer[] = []
  let size: Size | undefined
  let orientation: number | undefined
  let hasData = false
  let type = ''
  const countPart = countParts()
  let at = signatureBytes
  before.push(file.subarray(0, at))
  while (type !== 'IEND') {
    countPart()
    if (at + frameBytes > file.length) throw cut()
    const length = file.readUInt32BE(at)
    const end = at + length + frameBytes
    if (end > file.length) throw cut()
    type = file.toString('latin1', at + 4, at + 8)
    const content = file.subarray(at + 8, end - 4)
    if ((type === 'IHDR') !== (size === undefined))
      throw damaged('it must begin with its one header')
    if (type === 'IHDR') {
      if (length !== 13) throw damaged('its header has another length')
      size = { width: content.readUInt32BE(0), height: content.readUInt32BE(4) }
      before.push(file.subarray(at, end))
    } else if (kept.has(type)) rest.push(file.subarray(at, end))
    else if (type === 'eXIf') orientation ??= orientationIn(content)
    hasData ||= type === 'IDAT'
    at = end
  }
  if (!size || !hasData) throw damaged('it has no picture')
  if (isTurned(orientation)) before.push(chunkOf('eXIf', exifOf(orientation)))
  return { ...size, bytes: Buffer.concat([...before, ...rest]) }
}

/** A chunk with its length and its checksum. */
export function chunkOf(type: string, content: Buffer): Buffer {
  const chunk = Buffer.alloc(content.length + frameBytes)
  chunk.writeUInt32BE(content.length)
  chunk.write(type, 4, 'latin1')
  content.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4)
  return chunk
}
