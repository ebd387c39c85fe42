import { deflateSync } from 'node:zlib'
import { chunkOf } from '../../src/features/photos/formats/png.ts'

// Files of pictures, put together from parts: what a program writes, and what it never would.

type Part = readonly [type: string | number, content: Buffer]
type Size = { width?: number; height?: number }

/** EXIF data with these entries of the first directory, each of one short. */
export function exif(
  entries: readonly (readonly [tag: number, value: number])[],
  order = 'MM',
): Buffer {
  const isLittle = order === 'II'
  const data = Buffer.alloc(14 + 12 * entries.length)
  const short = (value: number, at: number) =>
    isLittle ? data.writeUInt16LE(value, at) : data.writeUInt16BE(value, at)
  const long = (value: number, at: number) =>
    isLittle ? data.writeUInt32LE(value, at) : data.writeUInt32BE(value, at)
  data.write(order, 'latin1')
  short(42, 2)
  long(8, 4)
  short(entries.length, 8)
  for (const [index, [tag, value]] of entries.entries()) {
    const at = 10 + 12 * index
    short(tag, at)
    short(3, at + 2)
    long(1, at + 4)
    short(value, at + 8)
  }
  return data
}

export const orientation = (value: number) => [0x0112, value] as const

/** A PNG file that can be shown, with more chunks before and behind its data. */
export function png(
  { width = 2, height = 2 }: Size = {},
  before: readonly Part[] = [],
  behind: readonly Part[] = [],
) {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  // Eight bits of grey.
  header[8] = 8
  const rows = Math.min(height, 64) * (Math.min(width, 64) + 1)
  const parts: Part[] = [
    ['IHDR', header],
    ...before,
    ['IDAT', deflateSync(Buffer.alloc(rows))],
    ...behind,
    ['IEND', Buffer.alloc(0)],
  ]
  const chunks = parts.map(([type, content]) => chunkOf(String(type), content))
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks])
}

/** A JPEG file with the parts of one that can be shown, and more segments, by their markers, before its frame. */
export function jpeg(
  { width = 2, height = 2 }: Size = {},
  before: readonly Part[] = [],
  scan = Buffer.from('1234ff00ffd0ffd712', 'hex'),
) {
  const frame = Buffer.from([
    8,
    height >> 8,
    height & 0xff,
    width >> 8,
    width & 0xff,
    1,
    1,
    0x11,
    0,
  ])
  const segments = [
    ...before,
    [0xdb, Buffer.alloc(65)],
    [0xc0, frame],
    [0xda, Buffer.alloc(6)],
  ] as const
  return Buffer.concat([
    Buffer.from('ffd8', 'hex'),
    ...segments.map(([marker, content]) => segment(Number(marker), content)),
    scan,
    Buffer.from('ffd9', 'hex'),
  ])
}

function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

export const jfif = (more = Buffer.alloc(0)) =>
  [0xe0, Buffer.concat([Buffer.from('4a46494600010100000100010000', 'hex'), more])] as const
export const exifSegment = (data: Buffer) =>
  [0xe1, Buffer.concat([Buffer.from('Exif\0\0'), data])] as const

/** An extended WebP file, with more chunks behind its picture. */
export function webp(
  { width = 2, height = 2 }: Size = {},
  more: readonly Part[] = [],
  flags = 0x2c,
) {
  const extended = Buffer.alloc(10)
  extended[0] = flags
  extended.writeUIntLE(width - 1, 4, 3)
  extended.writeUIntLE(height - 1, 7, 3)
  return riff([['VP8X', extended], lossless({ width, height }), ...more])
}

/** A chunk VP8L. */
export function lossless({ width = 2, height = 2 }: Size): Part {
  const content = Buffer.alloc(12)
  content[0] = 0x2f
  content.writeUInt32LE(((width - 1) & 0x3fff) | (((height - 1) & 0x3fff) << 14), 1)
  return ['VP8L', content]
}

export function riff(parts: readonly Part[]): Buffer {
  const chunks = parts.map(([type, content]) => {
    const head = Buffer.alloc(8)
    head.write(String(type), 'latin1')
    head.writeUInt32LE(content.length, 4)
    return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
  })
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks])
  const head = Buffer.alloc(8)
  head.write('RIFF', 'latin1')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}
